//! Files of labels, made from spools of several chunks.

use std::fmt::Write;
use std::fs;
use std::ops::Range;

use qrpress_batch::{
    CaptionStyle, Colour, ErrorCorrectionLevel, LogoStyle, OutputFormat, Record, RenderStyle, SpoolHeader,
    SpoolWriter,
};
use qrpress_labels::{
    CaptionPlace, ItemList, LabelError, LabelFit, Labels, PartFiles, STEPS, Sheet, SpoolChunk, measure,
    write_part,
};
use qrpress_testkit::{TempDir, assert_recorded, fnv1a, fonts};

/// Avery L7160.
const SHEET: Sheet = Sheet {
    page_um: [210_000, 297_000],
    label_um: [63_500, 38_100],
    columns: 3,
    rows: 7,
    margin_um: [7_250, 15_150],
    gap_um: [2_500, 0],
};
/// One label on each page.
const SINGLE: Sheet = Sheet {
    page_um: [40_000, 30_000],
    label_um: [40_000, 30_000],
    columns: 1,
    rows: 1,
    margin_um: [0; 2],
    gap_um: [0; 2],
};
const LOGO: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

struct Job {
    folder: TempDir,
    chunks: Vec<SpoolChunk>,
}

/// A job whose every third item has a caption of its own.
fn job(items: u64, style: RenderStyle, chunk_items: u64) -> Job {
    let folder = TempDir::new();
    let path = folder.path().join("spool");
    let header = SpoolHeader::new(OutputFormat::Png, style);
    let mut writer = SpoolWriter::create(&path, &header, chunk_items).expect("a spool");
    for item in 0..items {
        let (data, caption) = (format!("https://example.org/{item}"), format!("Asset {item} · Raum Ä"));
        let caption = (item % 3 == 0).then_some(&*caption);
        writer.push(&Record { data: &data, name: "a", caption, reference: None }).expect("a record");
    }
    let spool = writer.finish().expect("a spool");
    let chunks = spool.chunks.into_iter().map(|chunk| SpoolChunk { path: path.clone(), chunk }).collect();
    Job { folder, chunks }
}

/// Captions beside the codes, or below them on the label that is not wide.
fn labels(sheet: Sheet, items: Range<u64>) -> Labels {
    let caption = if sheet == SINGLE { CaptionPlace::Below } else { CaptionPlace::Beside };
    Labels {
        sheet,
        used: 0,
        items: vec![items],
        size_um: None,
        caption,
        caption_size: None,
        largest_step: STEPS - 1,
        largest_um: None,
        has_cut_marks: false,
        shift_um: [0; 2],
    }
}

/// The file of all parts.
fn draw(job: &Job, labels: &Labels) -> Vec<u8> {
    let [part_path, entries] = ["part", "entries"].map(|name| job.folder.path().join(name));
    let files = PartFiles { part: &part_path, entries: &entries };
    let mut file = Vec::new();
    for part in 0..labels.parts() {
        let offset = file.len() as u64;
        // A part that is written again is the same.
        for _ in 0..2 {
            let bytes = write_part(labels, &job.chunks, part, offset, &files, fonts()).expect("a part");
            assert_eq!(bytes, fs::metadata(&part_path).expect("a part").len());
        }
        file.extend(fs::read(&part_path).expect("a part"));
    }
    file
}

fn coloured() -> RenderStyle {
    RenderStyle {
        error_correction_level: ErrorCorrectionLevel::High,
        foreground: Colour::Rgb([18, 54, 90]),
        background: Colour::Rgb([255, 240, 200]),
        caption: CaptionStyle { text: "東ホール".to_owned(), colour: Some([200, 0, 0]), font_size: 24 },
        logo: Some(LogoStyle { data_url: LOGO.to_owned(), ratio_millionths: 200_000 }),
        ..RenderStyle::default()
    }
}

#[test]
fn files_are_those_of_earlier_runs() {
    let flipped = RenderStyle { foreground: Colour::Transparent, ..coloured() };
    let files = [
        ("plain", RenderStyle::default(), labels(SHEET, 0..100)),
        ("coloured, with a logo", coloured(), labels(SHEET, 0..22)),
        ("light modules", flipped, labels(SHEET, 0..3)),
        ("cut marks", RenderStyle::default(), Labels { has_cut_marks: true, ..labels(SHEET, 0..3) }),
        (
            "of a size",
            RenderStyle::default(),
            Labels { size_um: Some(12_345), used: 20, ..labels(SHEET, 5..9) },
        ),
        ("single", RenderStyle::default(), labels(SINGLE, 0..100)),
        (
            "captions below",
            coloured(),
            Labels { caption: CaptionPlace::Below, caption_size: Some(90), ..labels(SHEET, 0..9) },
        ),
        (
            "shifted",
            RenderStyle::default(),
            Labels { shift_um: [1_500, -2_000], has_cut_marks: true, ..labels(SHEET, 0..3) },
        ),
    ];
    let mut golden = String::new();
    for (name, style, labels) in files {
        let file = draw(&job(100, style, 30), &labels);
        writeln!(golden, "{name}: {} bytes, {:016x}", file.len(), fnv1a(&file)).unwrap();
    }
    assert_recorded(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/labels.golden.txt"), &golden);
}

#[test]
fn a_file_does_not_depend_on_the_chunks() {
    let labels = Labels { items: vec![100..2000, 2500..4990, 4999..5000], ..labels(SINGLE, 0..1) };
    assert_eq!(labels.parts(), 3);
    let [one, other] =
        [7, 10_000].map(|chunk_items| draw(&job(5000, RenderStyle::default(), chunk_items), &labels));
    assert!(one == other);
}

#[test]
fn items_that_are_left_out_take_no_label() {
    let whole = labels(SINGLE, 0..4500);
    let job = job(4500, RenderStyle::default(), 1000);
    let split = Labels { items: vec![0..1, 1..2048, 2048..4500], ..whole.clone() };
    assert!(draw(&job, &whole) == draw(&job, &split));
    let some = Labels { items: vec![3..5, 2999..3002], used: 20, ..labels(SHEET, 0..1) };
    assert_eq!(some.items_in(0), [3..5, 2999..3002]);
    let items = vec![100..101, 300..4500];
    let some = Labels { items, ..whole };
    let parts: Vec<_> = (0..3).flat_map(|part| some.items_in(part)).collect();
    assert_eq!(parts, [100..101, 300..2347, 2347..4395, 4395..4500]);
}

/// The numbers behind the last `startxref` and of the entries of its table, and the objects' own.
#[test]
fn the_cross_reference_table_names_every_object() {
    let job = job(4500, coloured(), 1000);
    let file = draw(&job, &Labels { has_cut_marks: true, ..labels(SINGLE, 0..4500) });
    let text = |range: Range<usize>| String::from_utf8_lossy(&file[range]).into_owned();
    let end = text(file.len() - 100..file.len());
    let table: usize = end.split_once("startxref\n").unwrap().1.split('\n').next().unwrap().parse().unwrap();
    let head = text(table..table + 30);
    let count: usize = head.lines().nth(1).unwrap().strip_prefix("0 ").unwrap().parse().unwrap();
    let first = table + head.lines().take(2).map(|line| line.len() + 1).sum::<usize>();
    assert_eq!(text(first..first + 20), "0000000000 65535 f \n");
    // Five objects for all, three nodes, and two for each page.
    assert_eq!(count, 1 + 5 + 3 + 2 * 4500);
    for number in 1..count {
        let entry = text(first + 20 * number..first + 20 * (number + 1));
        let offset: usize = entry.strip_suffix(" 00000 n \n").unwrap().parse().unwrap();
        let expected = format!("{number} 0 obj");
        assert_eq!(text(offset..offset + expected.len()), expected);
    }
    assert!(text(first + 20 * count..first + 20 * count + 9).starts_with("trailer"));
}

#[test]
fn the_items_with_the_least_room_are_found() {
    let job = job(100, RenderStyle::default(), 30);
    let below = Labels { caption: CaptionPlace::Below, ..labels(SHEET, 0..100) };
    let fit = measure(&below, &job.chunks, fonts()).unwrap();
    // The first item with a caption of this length, whose symbol has 25 modules.
    assert_eq!((fit.narrowest_item, fit.modules), (0, 25));
    assert_eq!(fit.tightest_item, 0);
    assert_eq!(fit.largest_edge_um / 25, fit.module_nm / 1000);
    // Without captions the quiet zone alone takes room: 33 modules are 38.1 mm.
    let plain = measure(&labels(SHEET, 1..3), &job.chunks, fonts()).unwrap();
    assert_eq!((plain.narrowest_item, plain.module_nm), (1, 38_100_000 / 33));
    assert_eq!(plain.largest_edge_um, 38_100 * 25 / 33);
    let small = Labels { size_um: Some(6_249), ..labels(SHEET, 1..3) };
    assert_eq!(measure(&small, &job.chunks, fonts()).unwrap().module_nm, 249_960);
}

#[test]
fn the_largest_code_is_the_same_however_large_a_code_was_asked_for() {
    let job = job(1, RenderStyle::default(), 1);
    let largest = |size_um| {
        let labels = Labels { size_um: Some(size_um), ..labels(SHEET, 0..1) };
        measure(&labels, &job.chunks, fonts()).unwrap().largest_edge_um
    };
    // Beside its caption, a code is as high as its label.
    assert_eq!((largest(29_000), largest(60_000)), (38_100 * 25 / 33, 38_100 * 25 / 33));
}

#[test]
fn symbols_and_texts_are_what_is_printed() {
    let job = job(2, RenderStyle::default(), 9);
    let printed = |labels: &Labels| measure(labels, &job.chunks, fonts()).unwrap().printed_nm;
    let module_nm = 30_000_000 / 33;
    let plain = Labels { caption: CaptionPlace::Nowhere, ..labels(SINGLE, 1..2) };
    let left = (40_000_000 - 33 * module_nm) / 2 + 4 * module_nm;
    let [from, to] = printed(&plain);
    assert_eq!((from[0], to[0]), (left, left + 25 * module_nm));
    // The first item has a caption, which is wider than its code.
    let [below_from, below_to] = printed(&Labels { caption: CaptionPlace::Below, ..labels(SINGLE, 0..2) });
    assert!(below_from[0] <= from[0] && below_to[1] > to[1] && below_to[1] <= 30_000_000, "{below_to:?}");
}

/// The fit of one item with this caption on a label of so many micrometres.
fn fit_of(caption: &str, label_um: [u32; 2], labels: &Labels) -> LabelFit {
    let style = RenderStyle {
        caption: CaptionStyle { text: caption.to_owned(), ..CaptionStyle::default() },
        ..RenderStyle::default()
    };
    let sheet = Sheet { page_um: label_um, label_um, ..SINGLE };
    measure(&Labels { sheet, ..labels.clone() }, &job(2, style, 9).chunks, fonts()).expect("a fit")
}

#[test]
fn a_caption_beside_its_code_leaves_it_the_whole_height() {
    let below = labels(SINGLE, 1..2);
    let beside = Labels { caption: CaptionPlace::Beside, ..below.clone() };
    let [small, wide, square] = [[25_400, 10_000], [63_500, 38_100], [40_000, 40_000]];
    let module_nm = |fit: LabelFit| fit.module_nm;
    // 33 modules are as high as the label.
    assert_eq!(module_nm(fit_of("A-0001", small, &beside)), 10_000_000 / 33);
    assert_eq!(module_nm(fit_of("Raum 1", wide, &beside)), 38_100_000 / 33);
    let squeezed = fit_of("A-0001", small, &below);
    assert!(squeezed.module_nm < 250_000 && squeezed.bare_module_nm == 10_000_000 / 33, "{squeezed:?}");
    assert!(module_nm(fit_of("Raum 1", square, &below)) < 40_000_000 / 33);
    // No room on the right of a code that fills a square.
    assert_eq!(fit_of("Raum 1", square, &beside).crowded_item, Some(1));
    assert_eq!(
        fit_of("Raum 1", square, &Labels { caption: CaptionPlace::Nowhere, ..below.clone() }).module_nm,
        40_000_000 / 33
    );
    // Long texts find room in the least size, or not at all.
    let long = "Besprechungsraum im Erdgeschoss, Vorderhaus, dritte Tür links";
    assert_eq!(fit_of(long, wide, &beside).crowded_item, None);
    assert_eq!(fit_of(long, small, &beside).crowded_item, Some(1));
    // A size of one's own has its room, or none.
    let large = Labels { caption_size: Some(720), ..beside };
    assert_eq!(fit_of("Raum 1", wide, &large).crowded_item, Some(1));
    assert_eq!(fit_of("Raum 1", wide, &Labels { caption_size: Some(40), ..large }).crowded_item, None);
}

#[test]
fn a_code_is_a_little_smaller_where_that_keeps_a_word_beside_it_whole() {
    let beside = Labels { caption: CaptionPlace::Beside, ..labels(SINGLE, 1..2) };
    let [label, small] = [[50_000, 30_000], [25_400, 10_000]];
    let bare = 30_000_000 / 33;
    assert_eq!(fit_of("Schreibtisch", label, &beside).module_nm, bare);
    let shrunk = fit_of("höhenverstellbarer Schreibtisch", label, &beside);
    assert_eq!(shrunk.broken, ItemList::default());
    assert!((bare * 85 / 100..bare).contains(&shrunk.module_nm), "{shrunk:?}");
    assert_eq!(shrunk.bare_module_nm, bare);
    // No smaller than it is read, nor where that does not help, nor where its size is given.
    let item_1 = ItemList { count: 1, ranges: vec![Range { start: 1, end: 2 }] };
    let own_size = Labels { size_um: Some(22_000), ..beside.clone() };
    for (caption, label_um, labels) in [
        ("Dampfschifffahrt", small, &beside),
        ("Donaudampfschifffahrtsgesellschaft", label, &beside),
        ("höhenverstellbarer Schreibtisch", label, &own_size),
    ] {
        let [broken, bare] = [caption, ""].map(|caption| fit_of(caption, label_um, labels));
        assert_eq!((&broken.broken, broken.module_nm), (&item_1, bare.module_nm), "{caption}");
    }
}

#[test]
fn a_caption_beside_its_code_has_the_largest_step() {
    let fit = |caption: &str, largest_step: u32| {
        fit_of(caption, SHEET.label_um, &Labels { largest_step, ..labels(SHEET, 1..2) })
    };
    let step = |caption: &str, largest_step: u32| {
        fit(caption, largest_step).captions.iter().position(|&count| count == 1).expect("a step") as u32
    };
    let last = STEPS - 1;
    assert_eq!([last, 19, 15].map(|largest| step("Raum 1", largest)), [last, 19, 15]);
    let long = step("Besprechungsraum im Erdgeschoss", last);
    assert!((16..last).contains(&long), "{long}");
    assert_eq!(
        [last, long, 15].map(|largest| step("Besprechungsraum im Erdgeschoss", largest)),
        [long, long, 15]
    );
    // Smaller codes have the least letters.
    let bare = fit("", last).module_nm;
    let modules = [14, 0].map(|largest| fit("Raum 1", largest).module_nm);
    assert_eq!(modules, [bare * 99 / 100, bare * 85 / 100]);
}

#[test]
fn no_code_exceeds_the_largest_size() {
    for caption in [CaptionPlace::Beside, CaptionPlace::Below, CaptionPlace::Nowhere] {
        let fit = |largest_um| {
            fit_of("Raum 1", SHEET.label_um, &Labels { caption, largest_um, ..labels(SHEET, 1..2) })
        };
        let [least, most] = fit(None).edges_um.expect("a code");
        assert_eq!(least, most);
        // A code that has no room for it is as large as it can be.
        let edges = [12_000, most as u32 + 1].map(|largest| fit(Some(largest)).edges_um.expect("a code")[0]);
        assert!(edges[0] >= 11_999 && edges[0] <= 12_000 && edges[1] == most, "{caption:?}: {edges:?}");
        assert_eq!(fit(Some(12_000)).largest_edge_um, fit(None).largest_edge_um);
    }
}

#[test]
fn captions_below_are_no_larger_than_their_step() {
    let fit = |largest_step| {
        let below = Labels { caption: CaptionPlace::Below, largest_step, ..labels(SINGLE, 1..2) };
        let captions = fit_of("Raum 1", [120_000; 2], &below).captions;
        captions.iter().position(|&count| count == 1).expect("a step") as u32
    };
    let last = STEPS - 1;
    let usual = fit(last);
    assert!(usual > 4, "{usual}");
    assert_eq!([usual, 4, 0].map(fit), [usual, 4, 0]);
}

#[test]
fn a_word_that_would_break_below_its_code_has_the_width_of_the_label() {
    let below = Labels { caption: CaptionPlace::Below, ..labels(SINGLE, 1..2) };
    let label = [120_000, 80_000];
    let [short, long] = ["Raum 1", "Donaudampfschifffahrtsgesellschaftskapitänskajüte"]
        .map(|caption| fit_of(caption, label, &below));
    assert_eq!(long.broken.count, 0);
    assert!(long.module_nm >= short.module_nm * 85 / 100);
}

#[test]
fn captions_below_are_large_enough_to_read() {
    let below = Labels { caption: CaptionPlace::Below, ..labels(SINGLE, 1..2) };
    // On 20 mm the letters of the pictures would be 2.4 points high.
    let label = [30_000, 20_000];
    let [usual, seven, nine] = [None, Some(70), Some(90)]
        .map(|caption_size| fit_of("A", label, &Labels { caption_size, ..below.clone() }).module_nm);
    assert_eq!(usual, seven);
    assert!(nine < seven);
    // On 120 mm they are large enough.
    let [usual, seven] = [None, Some(70)]
        .map(|caption_size| fit_of("A", [120_000; 2], &Labels { caption_size, ..below.clone() }).module_nm);
    assert!(usual < seven);
}

#[test]
fn labels_beside_the_page_and_missing_items_are_refused() {
    let job = job(10, RenderStyle::default(), 5);
    let wide = Sheet { columns: 4, ..SHEET };
    let huge = Sheet { page_um: [u32::MAX; 2], ..SHEET };
    for labels in [
        labels(wide, 0..10),
        labels(huge, 0..10),
        labels(Sheet { rows: 0, ..SHEET }, 0..10),
        labels(Sheet { rows: u32::MAX, gap_um: [u32::MAX; 2], ..SHEET }, 0..10),
        labels(SHEET, 3..3),
        Labels { items: vec![3..5, 4..6], ..labels(SHEET, 0..1) },
        Labels { items: Vec::new(), ..labels(SHEET, 0..1) },
        Labels { used: 21, ..labels(SHEET, 0..10) },
    ] {
        let refused = measure(&labels, &job.chunks, fonts());
        assert!(matches!(refused, Err(LabelError::NoSheet)), "{labels:?}");
    }
    let missing = measure(&labels(SHEET, 0..11), &job.chunks, fonts());
    assert!(matches!(missing, Err(LabelError::MissingItem { item: 10 })));
}
