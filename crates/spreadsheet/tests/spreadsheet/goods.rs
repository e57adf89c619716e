//! Numbers of goods whose check digit is wrong.

use qrpress_spreadsheet::Kind;

use crate::composed::{Choices, kind, read};
use crate::workbook::sentences;

#[test]
fn wrong_check_digits_are_mended_where_no_digit_may_be_missing() {
    let csv = "Artikel;GTIN\nA;4006381333931\nB;4006381333932\nC;400638133393\nD;9638507 3\nE;14006381333930\nF;123\n";
    let choices = |mends_check_digits| Choices {
        composed: vec![kind("digital-link", &[])],
        mends_check_digits,
        ..Choices::default()
    };
    let (report, items) = read(csv, &choices(false));
    assert_eq!(
        sentences(&report),
        [
            "Row 3, column B (GTIN): the check digit of 4006381333932 is wrong; 1 would be right.",
            "Row 4, column B (GTIN): the check digit of 400638133393 is wrong. It has 12 digits: one may be missing. If none is, 0 \
             would be right at its end.",
            "Row 5, column B (GTIN): the check digit of 96385073 is wrong; 4 would be right.",
            "Row 6, column B (GTIN): the check digit of 14006381333930 is wrong; 8 would be right.",
            "Row 7, column B (GTIN): a GTIN has 8, 12, 13 or 14 digits.",
        ]
    );
    let offered: Vec<_> = report.problems.iter().map(|problem| problem.fault.choice()).collect();
    let mended = Some("checkDigit");
    assert_eq!(offered, [mended, None, mended, mended, None]);
    assert_eq!((report.wrong_check_digits, items.len()), (3, 1));
    let (report, items) = read(csv, &choices(true));
    assert_eq!((report.wrong_check_digits, report.problem_count), (3, 2));
    let data: Vec<&str> = items.iter().map(|item| item["data"].as_str().unwrap()).collect();
    assert_eq!(data[1], "https://id.gs1.org/01/04006381333931");
    assert_eq!(data[2], "https://id.gs1.org/01/00000096385074");
    assert!(data[3].ends_with("/01/14006381333938"), "{}", data[3]);
    assert!(items[1]["filename"].as_str().unwrap().contains("4006381333931"), "{}", items[1]);
    let good = "GTIN\n4006381333931\n4006381333932\n";
    let (report, _) = read(good, &choices(true));
    let told = "1 GTIN has the right check digit in the codes, in place of the wrong one of the list; the first is in row 3, column A.";
    assert!(report.notices.contains(&told.to_owned()), "{:?}", report.notices);
}

/// A row that is refused for something else gives no code.
#[test]
fn right_check_digits_are_told_of_codes_alone() {
    let choices =
        Choices { composed: vec![kind("digital-link", &[])], mends_check_digits: true, ..Choices::default() };
    let (report, items) = read("gtin,expiry\n4006381333930,31.02.2027\n4006381333931,28.02.2027\n", &choices);
    assert_eq!((report.problem_count, items.len()), (1, 1));
    assert!(report.notices.iter().all(|notice| !notice.contains("check digit")), "{:?}", report.notices);
}

/// One of ten numbers that were cut off has the right check digit by chance.
#[test]
fn numbers_of_goods_that_get_zeros_in_front_are_told() {
    let choices = || Choices { composed: vec![kind("digital-link", &[])], ..Choices::default() };
    let told = |csv: &str| {
        let (report, items) = read(csv, &choices());
        assert_eq!(sentences(&report), [""; 0]);
        let [leads, others @ ..] = report.notices.as_slice() else { panic!("{:?}", report.notices) };
        assert!(leads.contains("id.gs1.org"), "{leads}");
        (others.to_vec(), items)
    };
    let (notices, items) = told("Lot,EAN\nA,4006381333931\nB,4006381\nC,123 4565\n");
    let sentence = "2 GTINs have 7 or 9 to 11 digits, and are read with zeros in front: check that no digit is missing at the end; the \
                    first is in row 3, column B.";
    assert_eq!(notices, [sentence]);
    assert_eq!(items[1]["data"], "https://id.gs1.org/01/00000004006381/10/B");
    // The numbers of 8 and 12 digits are whole.
    assert_eq!(told("EAN\n01234565\n036000291452\n").0, [""; 0]);
    let (notices, _) = told("EAN\n01234565\n36000291452\n");
    let sentence = "1 GTIN has 7 or 9 to 11 digits, and is read with zeros in front: check that no digit is missing at the end; the \
                    first is in row 3, column A.";
    assert_eq!(notices, [sentence]);
}

/// Books and sheet music have hyphens in their numbers.
#[test]
fn numbers_of_goods_may_have_hyphens() {
    let csv = "Title,GTIN\nA,978-3-16-148410-0\nB,979\u{2011}0\u{2011}001\u{2011}15083\u{2011}5\n";
    assert_eq!(read(csv, &Choices::default()).0.proposal.unwrap().kind, Kind::DigitalLink);
    let choices = Choices { composed: vec![kind("digital-link", &[])], ..Choices::default() };
    let (report, items) = read(csv, &choices);
    assert_eq!(sentences(&report), [""; 0]);
    let links = items.iter().map(|item| item["data"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(links, ["https://id.gs1.org/01/09783161484100", "https://id.gs1.org/01/09790001150835"]);
}
