//! A set of fonts in a fixed order: which font draws which character.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use unicode_normalization::char::decompose_canonical;
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use crate::TextError;
use crate::characters::{is_blank, is_hidden, is_refused_control};
use crate::face::{Face, Unusable};

/// The font that is asked first, wherever its file stands in the first folder's order.
const LATIN_FACE: &str = "NotoSans.ttf";

/// Fonts of Han characters in the forms of one language. They draw only beside letters of that language.
const JAPANESE_HAN: &str = "NotoSansJP-Han.ttf";
const KOREAN_HAN: &str = "NotoSansKR-Han.ttf";

/// Faces are numbered by one byte, of which 0 says "none" in the table of characters.
const MAX_FACES: usize = 255;

/// Code points that share a page of the table of characters.
const PAGE: usize = 256;

/// The fonts that captions are drawn with, read once and shared between threads.
///
/// A character is drawn by the first font that has it; Han characters in a text with kana or hangul by the font of the
/// forms of Japan or Korea, if that has them. The order is that of the folders, and by file name within each;
/// only the Latin face, `NotoSans.ttf`, comes before the others of the first folder. It does not depend on the order in
/// which a file system lists a folder.
pub struct FontSet {
    faces: Vec<Face>,
    rejected: Vec<(PathBuf, Unusable)>,
    /// Page of each block of `PAGE` code points; page 0 is empty.
    page_of: Vec<u16>,
    /// The number of the first face that has the character, plus one; 0: none.
    pages: Vec<[u8; PAGE]>,
    japanese_han: Option<u8>,
    korean_han: Option<u8>,
    /// The widest of the faces' widths.
    widest_em: u32,
    /// Every printable character of ASCII is covered.
    has_ascii: bool,
}

impl FontSet {
    /// Reads every `.ttf` and `.otf` file of `folders`, not of their subfolders.
    ///
    /// A file that is no usable font is left out and listed by [`rejected`](Self::rejected).
    ///
    /// # Errors
    ///
    /// [`TextError::Unreadable`] for a folder or file that cannot be read, [`TextError::NoFont`] when nothing is left.
    pub fn open(folders: &[PathBuf]) -> Result<Self, TextError> {
        let mut set = Self {
            faces: Vec::new(),
            rejected: Vec::new(),
            page_of: vec![0; 0x11_0000 / PAGE],
            pages: vec![[0; PAGE]],
            japanese_han: None,
            korean_han: None,
            widest_em: 1,
            has_ascii: false,
        };
        for folder in folders {
            for path in font_files(folder)? {
                let bytes = fs::read(&path).map_err(|source| unreadable(&path, source))?;
                match set.require_place().and_then(|()| Face::read(bytes)) {
                    Ok(face) => set.add(&path, face),
                    Err(reason) => set.rejected.push((path, reason)),
                }
            }
        }
        if set.faces.is_empty() {
            return Err(TextError::NoFont { rejected: set.rejected.len() });
        }
        set.has_ascii = (' '..='~').all(|character| set.covers(character));
        Ok(set)
    }

    /// Refuses a face that is one too many.
    fn require_place(&self) -> Result<(), Unusable> {
        if self.faces.len() < MAX_FACES { Ok(()) } else { Err(Unusable::TooManyFonts) }
    }

    fn add(&mut self, path: &Path, face: Face) {
        let number = self.faces.len() as u8 + 1;
        self.widest_em = self.widest_em.max(face.widest_em);
        let own_han = match path.file_name().and_then(OsStr::to_str) {
            Some(JAPANESE_HAN) => Some(&mut self.japanese_han),
            Some(KOREAN_HAN) => Some(&mut self.korean_han),
            _ => None,
        };
        if let Some(own_han @ None) = own_han {
            *own_han = Some(number - 1);
            self.faces.push(face);
            return;
        }
        for (code_point, _) in face.font.charmap().unicodes() {
            let block = code_point as usize / PAGE;
            let Some(page) = self.page_of.get_mut(block) else { continue };
            if *page == 0 {
                *page = self.pages.len() as u16;
                self.pages.push([0; PAGE]);
            }
            let entry = &mut self.pages[usize::from(*page)][code_point as usize % PAGE];
            if *entry == 0 {
                *entry = number;
            }
        }
        self.faces.push(face);
    }

    /// The number of fonts in use, 1 to 255.
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Never: a set without a font is not opened.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// The files that were left out, and why.
    pub fn rejected(&self) -> &[(PathBuf, Unusable)] {
        &self.rejected
    }

    /// Returns true if a caption may hold `character`.
    ///
    /// White space, line ends and default-ignorable characters (joiners, direction marks, variation selectors) need no
    /// glyph. A control character other than tab and line ends is never covered.
    pub fn covers(&self, character: char) -> bool {
        // Some fonts have glyphs for these.
        if is_refused_control(character) {
            return false;
        }
        if self.first_face(character).is_some() || is_blank(character) || is_hidden(character) {
            return true;
        }
        // In parts, when one font has them all.
        self.face_for(character.encode_utf8(&mut [0; 4]), None).is_some()
    }

    /// The first character that no font draws, of `text` as it is laid out: in NFC.
    pub fn first_uncovered(&self, text: &str) -> Option<char> {
        // Without a branch in between, the bytes are looked at in vectors.
        let is_printable = |is_printable, byte: u8| is_printable & matches!(byte, b' '..=b'~');
        if self.has_ascii && text.bytes().fold(true, is_printable) {
            return None;
        }
        let uncovered = |character: &char| !self.covers(*character);
        if is_nfc(text) { text.chars().find(uncovered) } else { text.nfc().find(uncovered) }
    }

    /// A width in font sizes that no grapheme of `text` passes: found from the characters alone.
    pub fn width_bound_em(&self, text: &str) -> u32 {
        let characters = |grapheme: &str| grapheme.chars().count() as u32;
        let most = if text.is_ascii() { Some(1) } else { text.graphemes(true).map(characters).max() };
        most.unwrap_or(0).saturating_mul(self.widest_em)
    }

    /// Number of the first face that maps `character`.
    pub(crate) fn first_face(&self, character: char) -> Option<u8> {
        let code_point = character as usize;
        let page = usize::from(self.page_of[code_point / PAGE]);
        self.pages[page][code_point % PAGE].checked_sub(1)
    }

    /// Number of a face that draws the whole of `cluster`: `preferred` when it can, else the first that can.
    pub(crate) fn face_for(&self, cluster: &str, preferred: Option<u8>) -> Option<u8> {
        let Some(first) = cluster.chars().find(|&character| !is_hidden(character)) else {
            return Some(preferred.unwrap_or(0));
        };
        let candidates = preferred.into_iter().chain(self.first_face(first));
        candidates.chain(0..self.faces.len() as u8).find(|&face| self.draws(face, cluster))
    }

    /// Number of the face that is asked first for the Han characters of `text`: that of the forms of Japan where it has kana, of
    /// Korea where it has hangul.
    pub(crate) fn han_face(&self, text: &str) -> Option<u8> {
        let has = |scripts: &[Script]| text.chars().any(|character| scripts.contains(&character.script()));
        if text.is_ascii() {
            None
        } else if has(&[Script::Hiragana, Script::Katakana]) {
            self.japanese_han
        } else if has(&[Script::Hangul]) {
            self.korean_han
        } else {
            None
        }
    }

    /// Returns true if a face draws the whole of `cluster`.
    pub(crate) fn draws(&self, number: u8, cluster: &str) -> bool {
        let face = self.face(number);
        cluster.chars().filter(|&character| !is_hidden(character)).all(|character| {
            // The table answers most questions. The shaper makes other blanks of the plain space.
            self.first_face(character) == Some(number)
                || face.maps(character)
                || (is_blank(character) && face.maps(' '))
                || {
                    let (mut parts, mut mapped) = (0, true);
                    decompose_canonical(character, |part| {
                        parts += 1;
                        mapped &= face.maps(part);
                    });
                    parts > 1 && mapped
                }
        })
    }

    pub(crate) fn face(&self, number: u8) -> &Face {
        &self.faces[usize::from(number)]
    }

    pub(crate) fn faces(&self) -> &[Face] {
        &self.faces
    }
}

/// The font files of `folder`, the Latin face first, the others by name.
fn font_files(folder: &Path) -> Result<Vec<PathBuf>, TextError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|source| unreadable(folder, source))? {
        let path = entry.map_err(|source| unreadable(folder, source))?.path();
        let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        if matches!(extension.as_deref(), Some("ttf" | "otf")) && path.is_file() {
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| {
        let name = path.file_name().map(OsStr::to_owned);
        (name.as_deref() != Some(OsStr::new(LATIN_FACE)), name)
    });
    Ok(files)
}

fn unreadable(path: &Path, source: std::io::Error) -> TextError {
    TextError::Unreadable { path: path.to_owned(), source }
}
