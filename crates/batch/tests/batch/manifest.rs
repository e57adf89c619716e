//! The manifest tells every item, and where its files are, byte for byte the archive's.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use qrpress_batch::{
    BatchError, CaptionStyle, Chunk, IndexPart, OutputFormat, Record, RenderStyle, RenderedChunk,
    SpoolHeader, SpoolWriter,
    draw::{ChunkFiles, render_chunk},
    inspect::LineRun,
    manifest::{FoundFile, ManifestForm, find_file, write_manifest},
};
use qrpress_testkit::{TempDir, fonts};
use serde_json::{Value, json};

const ITEMS: [Record<'_>; 3] = [
    Record { data: "=1+1", name: "=a", caption: None, reference: Some("R-1") },
    Record { data: "two \"lines\"\n\u{1}", name: "b", caption: Some("own, \\caption"), reference: None },
    Record { data: "off", name: "c", caption: Some(""), reference: Some("＠x") },
];

struct Job {
    folder: TempDir,
    chunks: Vec<Chunk>,
}

impl Job {
    fn new(format: OutputFormat) -> Self {
        Self::of(&ITEMS, format)
    }

    fn of(items: &[Record<'_>], format: OutputFormat) -> Self {
        let folder = TempDir::new();
        let style = RenderStyle {
            pixels_per_module: 1,
            caption: CaptionStyle { text: "shared".into(), ..CaptionStyle::default() },
            ..RenderStyle::default()
        };
        let spool = folder.path().join("spool");
        let mut writer = SpoolWriter::create(&spool, &SpoolHeader::new(format, style), 2).unwrap();
        for record in items {
            writer.push(record).unwrap();
        }
        let job = Self { folder, chunks: writer.finish().unwrap().chunks };
        for (number, chunk) in job.chunks.iter().enumerate() {
            let (segment, index) = (&job.path("segment", number), &job.path("index", number));
            render_chunk(chunk, &ChunkFiles { spool: &spool, segment, index }, fonts()).unwrap();
        }
        job
    }

    fn path(&self, kind: &str, number: usize) -> PathBuf {
        self.folder.path().join(format!("{number}.{kind}"))
    }

    fn with<T>(&self, number: usize, index: Option<&Path>, work: impl Fn(&RenderedChunk<'_>) -> T) -> T {
        let spool = &self.folder.path().join("spool");
        work(&RenderedChunk { spool, chunk: self.chunks[number], index: index.map(IndexPart::whole) })
    }

    fn manifest(&self, number: usize, index: Option<&Path>, form: ManifestForm<'_>) -> String {
        self.manifest_with(number, index, form, false)
    }

    fn manifest_with(
        &self,
        number: usize,
        index: Option<&Path>,
        form: ManifestForm<'_>,
        names_missing: bool,
    ) -> String {
        let out = self.folder.path().join("manifest");
        let write = |chunk: &RenderedChunk<'_>| write_manifest(chunk, None, form, names_missing, &out);
        let bytes = self.with(number, index, write).unwrap();
        let text = fs::read_to_string(out).unwrap();
        assert_eq!(text.len() as u64, bytes);
        text
    }

    fn find(&self, item: u64, extension: &str) -> Option<(FoundFile, Vec<u8>)> {
        let number = (item / 2) as usize;
        let index = self.path("index", number);
        let found = self.with(number, Some(&index), |chunk| find_file(chunk, item, extension)).unwrap()?;
        let segment = fs::read(self.path("segment", number)).unwrap();
        let range = found.offset as usize..(found.offset + found.bytes) as usize;
        let bytes = segment[range].to_vec();
        Some((found, bytes))
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn ndjson_has_an_object_for_each_item() {
    let job = Job::new(OutputFormat::Both);
    let file = |item, extension| {
        let (FoundFile { name, bytes, crc32, .. }, _) = job.find(item, extension).unwrap();
        json!({ "name": name, "bytes": bytes, "crc32": format!("{crc32:08x}") })
    };
    let manifest = |number| job.manifest(number, Some(&job.path("index", number)), ManifestForm::Ndjson);
    let told = [lines(&manifest(0)), lines(&manifest(1))].concat();
    let expected = [
        json!({ "index": 0, "reference": "R-1", "data": "=1+1", "caption": "shared", "status": "completed",
            "files": [file(0, ".png"), file(0, ".svg")] }),
        json!({ "index": 1, "data": "two \"lines\"\n\u{1}", "caption": "own, \\caption", "status": "completed",
            "files": [file(1, ".png"), file(1, ".svg")] }),
        json!({ "index": 2, "reference": "＠x", "data": "off", "status": "completed",
            "files": [file(2, ".png"), file(2, ".svg")] }),
    ];
    assert_eq!(told, expected);
    let places = |number| job.manifest(number, Some(&job.path("index", number)), ManifestForm::Places);
    let files = lines(&places(1))[0]["files"].clone();
    let offsets = [".png", ".svg"].map(|extension| job.find(2, extension).unwrap().0.offset);
    assert_eq!([&files[0]["offset"], &files[1]["offset"]], offsets.map(|offset| json!(offset)).each_ref());
}

#[test]
fn csv_has_a_row_for_each_file_and_no_formula() {
    let job = Job::new(OutputFormat::Png);
    let (a, b) = (job.find(0, ".png").unwrap().0, job.find(1, ".png").unwrap().0);
    let text = job.manifest(0, Some(&job.path("index", 0)), ManifestForm::Csv);
    let expected = format!(
        "0,R-1,'=1+1,shared,completed,=a.png,'=a.png,{},{:08x},\r\n\
         1,,\"two \"\"lines\"\"\n\u{1}\",\"own, \\caption\",completed,b.png,b.png,{},{:08x},\r\n",
        a.bytes, a.crc32, b.bytes, b.crc32
    );
    assert_eq!(text, expected);
}

#[test]
fn csv_begins_with_the_lines_of_items_where_they_are_known() {
    let job = Job::new(OutputFormat::Both);
    let lines = [LineRun { first: 2, count: 1 }, LineRun { first: 5, count: 1 }];
    let manifest = |number, form| job.manifest(number, Some(&job.path("index", number)), form);
    let rows = [0, 1].map(|number| manifest(number, ManifestForm::Csv)).concat();
    let rows: Vec<_> = rows.split_inclusive("\r\n").collect();
    let expected: String =
        ["2,", "2,", "5,", "5,", ",", ","].iter().zip(&rows).flat_map(|(line, row)| [*line, *row]).collect();
    let with_lines =
        [0, 1].map(|number| manifest(number, ManifestForm::CsvWithLines { lines: &lines })).concat();
    assert_eq!(with_lines, expected);
    let one = job.manifest(1, None, ManifestForm::CsvWithLines { lines: &[LineRun { first: 7, count: 3 }] });
    assert_eq!(one, "9,2,'＠x,off,,failed,,,,,\r\n");
}

/// Where a comma separates decimals, spreadsheets split lines at semicolons, and the quotes of a cell in the middle of a line
/// are text to them: its line ends are ends of lines.
#[test]
fn csv_has_no_formula_behind_the_separators_of_other_countries() {
    for (data, expected) in [
        ("a;=1", "a;'=1"),
        ("a\t+1", "a\t'+1"),
        ("a;\t=1", "a;\t'=1"),
        ("a,;@1", "\"a,;'@1\""),
        ("a\n=1;b", "\"a\n'=1;b\""),
        ("a\r\n-1\r\n＝2", "\"a\r\n'-1\r\n'＝2\""),
        ("=1;=2", "'=1;'=2"),
        ("\t=1", "'\t'=1"),
        ("\r\nb", "\"'\r\nb\""),
        // Characters that begin no cell stay as they are.
        ("BCD\r\n\r\nEUR1;;a-b=c+d@e\n\n", "\"BCD\r\n\r\nEUR1;;a-b=c+d@e\n\n\""),
    ] {
        let job =
            Job::of(&[Record { data, name: "a", caption: Some(""), reference: None }], OutputFormat::Png);
        let row = job.manifest(0, None, ManifestForm::Csv);
        assert_eq!(row, format!("0,,{expected},,failed,,,,,\r\n"), "{data:?}");
    }
}

#[test]
fn an_item_that_was_not_drawn_has_no_files() {
    let job = Job::new(OutputFormat::Png);
    let given_up = job.manifest(1, None, ManifestForm::Ndjson);
    let expected = json!({ "index": 2, "reference": "＠x", "data": "off", "status": "failed", "files": [] });
    assert_eq!(lines(&given_up), [expected]);
    assert_eq!(job.manifest(1, None, ManifestForm::Csv), "2,'＠x,off,,failed,,,,,\r\n");

    // The index of the second item alone: the first was not drawn.
    let index = fs::read(job.path("index", 0)).unwrap();
    let partial = job.path("partial", 0);
    fs::write(&partial, &index[10 + "=a.png".len()..]).unwrap();
    let told = lines(&job.manifest(0, Some(&partial), ManifestForm::Ndjson));
    assert_eq!([&told[0]["status"], &told[1]["status"]], ["failed", "completed"]);
}

#[test]
fn an_item_that_was_not_drawn_has_its_name_where_that_is_asked_for() {
    let job = Job::new(OutputFormat::Png);
    let text = job.manifest_with(0, None, ManifestForm::Csv, true);
    assert_eq!(text.lines().next(), Some("0,R-1,'=1+1,shared,failed,,'=a,,,"));
    let told = lines(&job.manifest_with(1, None, ManifestForm::Ndjson, true));
    assert_eq!([&told[0]["filename"], &told[0]["files"]], [&json!("c"), &json!([])]);
    let index = job.path("index", 0);
    for form in [ManifestForm::Ndjson, ManifestForm::Csv] {
        assert_eq!(job.manifest_with(0, Some(&index), form, true), job.manifest(0, Some(&index), form));
    }
}

#[test]
fn missing_items_are_lines_of_a_body() {
    let job = Job::new(OutputFormat::Png);
    assert_eq!(job.manifest(0, Some(&job.path("index", 0)), ManifestForm::Missing), "\n\n");
    let given_up = [0, 1].map(|number| lines(&job.manifest(number, None, ManifestForm::Missing))).concat();
    // A caption that all share is not one of the item's own; an empty one stays off.
    let expected = [
        json!({ "data": "=1+1", "filename": "=a", "reference": "R-1" }),
        json!({ "data": "two \"lines\"\n\u{1}", "filename": "b", "caption": "own, \\caption" }),
        json!({ "data": "off", "filename": "c", "caption": "", "reference": "＠x" }),
    ];
    assert_eq!(given_up, expected);
}

#[test]
fn all_items_are_lines_of_a_body_where_the_list_had_them() {
    let job = Job::new(OutputFormat::Png);
    let replaced = BTreeMap::from([(1, "{\"data\":\"right\"}\n".to_owned())]);
    let body = |lines| {
        [0, 1]
            .map(|number| job.manifest(number, None, ManifestForm::Items { lines, replaced: &replaced }))
            .concat()
    };
    let items = [
        "{\"data\":\"=1+1\",\"filename\":\"=a\",\"reference\":\"R-1\"}\n",
        "{\"data\":\"right\"}\n",
        "{\"data\":\"off\",\"filename\":\"c\",\"caption\":\"\",\"reference\":\"＠x\"}\n",
    ];
    assert_eq!(body(&[]), items.concat());
    let lines =
        [LineRun { first: 2, count: 1 }, LineRun { first: 4, count: 1 }, LineRun { first: 7, count: 1 }];
    assert_eq!(body(&lines), format!("\n{}\n{}\n\n{}", items[0], items[1], items[2]));
}

#[test]
fn a_file_is_found_where_the_archive_has_it() {
    let job = Job::new(OutputFormat::Both);
    for item in 0..3 {
        let (png, picture) = job.find(item, ".png").unwrap();
        assert_eq!(&png.name[png.name.len() - 4..], ".png");
        assert!(picture.starts_with(b"\x89PNG") && picture.ends_with(b"IEND\xaeB\x60\x82"));
        let (_, drawing) = job.find(item, ".svg").unwrap();
        assert!(
            drawing.starts_with(b"<svg") && drawing.ends_with(b"</svg>"),
            "{}",
            String::from_utf8_lossy(&drawing)
        );
    }
    assert_eq!(Job::new(OutputFormat::Svg).find(1, ".png"), None);
    assert_eq!(job.find(3, ".png"), None);
}

#[test]
fn the_index_of_another_chunk_is_refused() {
    let job = Job::new(OutputFormat::Png);
    let other = job.path("index", 0);
    let out = job.folder.path().join("manifest");
    let refused =
        job.with(1, Some(&other), |chunk| write_manifest(chunk, None, ManifestForm::Csv, false, &out));
    assert!(matches!(refused, Err(BatchError::CorruptSpool { .. })), "{refused:?}");
    fs::write(&other, [0; 4096]).unwrap();
    let refused =
        job.with(0, Some(&other), |chunk| write_manifest(chunk, None, ManifestForm::Csv, false, &out));
    assert!(matches!(refused, Err(BatchError::CorruptIndex { .. })), "{refused:?}");
}
