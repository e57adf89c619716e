//! Parts of a PNG file beside its pixels.

use qrpress_logo::{Logo, LogoError};

use crate::support::{Kind, chunks, rgba, zlib};

fn is_red(file: &[u8]) -> bool {
    let picture = Logo::from_png(file).unwrap().quantise(4, 4, Some([255; 3]), &[], 16);
    picture.palette == [[255, 0, 0, 255]]
}

#[test]
fn ancillary_chunks_are_skipped() {
    let red = chunks(Kind::RGBA, 4, 4, |_, _, channel| [255, 0, 0, 255][channel]);
    let huge_text = [b"Comment\0\0".to_vec(), zlib(&vec![b'a'; 50_000_000])].concat();
    for (kind, data) in [
        (b"tEXt", b"no zero byte".to_vec()),
        (b"zTXt", huge_text.clone()),
        (b"iCCP", huge_text),
        (b"gAMA", vec![0, 0, 0, 1]),
        (b"sBIT", vec![1, 1, 1, 1]),
        (b"eXIf", vec![0; 100_000]),
        (b"prVt", vec![7; 300_000]),
        (b"pHYs", vec![1]),
    ] {
        assert!(is_red(&red.clone().with(*kind, &data, *b"IDAT").file()), "{kind:?}");
        assert!(is_red(&red.clone().with(*kind, &data, *b"IEND").file()), "{kind:?}");
    }
}

#[test]
fn what_follows_the_end_is_skipped() {
    let mut file = rgba(4, 4, |_, _| [255, 0, 0, 255]);
    file.extend(b"PK\x03\x04 and so on");
    assert!(is_red(&file));
}

#[test]
fn data_in_many_chunks() {
    let mut file = chunks(Kind::RGBA, 4, 4, |_, _, channel| [255, 0, 0, 255][channel]);
    let bytes: Vec<_> = file.data(*b"IDAT").iter().map(|&byte| (*b"IDAT", vec![byte])).collect();
    file.0.splice(1..2, bytes);
    file.0.insert(3, (*b"IDAT", Vec::new()));
    assert!(is_red(&file.file()));
}

#[test]
fn the_default_picture_of_an_animation() {
    let frame = |width: u32| {
        let mut data = [[0, 0, 0, 0], width.to_be_bytes(), [0, 0, 0, 4]].concat();
        data.resize(26, 0);
        data
    };
    let animation = |width| {
        chunks(Kind::RGBA, 4, 4, |_, _, channel| [255, 0, 0, 255][channel])
            .with(*b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0], *b"IDAT")
            .with(*b"fcTL", &frame(width), *b"IDAT")
            .with(*b"fdAT", &[0, 0, 0, 1, 9, 9, 9], *b"IEND")
            .file()
    };
    assert!(is_red(&animation(4)));
    assert!(matches!(Logo::from_png(&animation(2)), Err(LogoError::Malformed { .. })));
}
