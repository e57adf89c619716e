//! GS1 Digital Links that others made: what is no link, what is right, and what is wrong.

use qrpress_gs1::{faults_of, is_link};

#[test]
fn other_links_are_none() {
    for data in [
        "https://example.org/2026/01/20260131-news",
        "https://example.org/orders/401/12345678/edit",
        "https://example.org/users/10/21/17",
        "https://example.org/01",
        "https://example.org/01/",
        "https://example.org/blog/01/first-post",
        "https://blog.example/01/my-first-post",
        "https://example.org/docs/414/4012345678",
        "https://example.org/a/253/12345678",
        "https://example.org/417/41234567/edit",
        "https://example.org/8017/123456789",
        "https://id.gs1.org/about/404",
        "https://example.org?x=/01/09506000134352",
        "https://example.org#/01/09506000134352",
        "ftp://example.org/01/09506000134352",
        "/01/09506000134352",
        "https://example.org/ä/ö/414/größe",
        "",
    ] {
        assert!(!is_link(data), "{data}");
        assert_eq!(faults_of(data), None, "{data}");
    }
}

#[test]
fn right_links_have_no_fault() {
    for data in [
        "https://id.gs1.org/01/09506000134352",
        "HTTPS://ID.GS1.ORG/01/09506000134352/10/ABC/21/12345?17=180426",
        "https://example.com/some/path/01/09506000134352/22/2A/10/1%2F2/21/s/?linkType=all&17=260200&3103=000195",
        "https://id.gs1.org/01/09506000134352/235/TPX5",
        "https://id.gs1.org/00/395060001343520001",
        "https://id.gs1.org/414/9506000134352/254/32a%2Fb",
        "https://id.gs1.org/253/9506000134352abc",
        "https://id.gs1.org/8004/9506000134352",
        "https://id.gs1.org/8006/095060001343520102/10/A",
        "https://id.gs1.org/01/09506000134352#top",
        "https://example.org/414/9506000134352",
        "https://example.org/8013/1987654Ad4X4bL5ttr2310c2K",
        "https://id.gs1.org/01/09506000134352?11=260101&7003=2601311200",
    ] {
        let faults = faults_of(data).expect(data);
        assert_eq!((faults.check_digit, faults.syntax), (None, None), "{data}");
    }
}

#[test]
fn wrong_links_have_the_fault_of_its_sort() {
    for (data, check_digit, syntax) in [
        ("https://id.gs1.org/01/09506000134353", Some("should be 2"), None),
        ("https://id.gs1.org/00/395060001343520008", Some("00 ends"), None),
        ("https://id.gs1.org/8013/1987654Ad4X4bL5ttr2310c2L", Some("should be 2K"), None),
        ("https://id.gs1.org/8013/1987654Ad4X4bL5ttr2310cK2", Some("should be 2K"), None),
        ("https://id.gs1.org/8013/19", None, Some("the value of 8013")),
        ("https://id.gs1.org/414/4012345678", None, Some("the value of 414")),
        ("https://example.org/01/4012345678", None, Some("the value of 01")),
        ("https://id.gs1.org/01/9506000134352", None, Some("the value of 01")),
        ("https://id.gs1.org/01/ABC", None, Some("the value of 01")),
        (
            "https://id.gs1.org/01/09506000134352/21/A/10/B",
            None,
            Some("10 is no qualifier of 01 in this place"),
        ),
        ("https://id.gs1.org/01/09506000134352/10/A/10/B", None, Some("10 is no qualifier")),
        ("https://id.gs1.org/01/09506000134352/22/A/235/B", None, Some("235 is no qualifier")),
        ("https://id.gs1.org/01/09506000134352/17/260131", None, Some("17 is no qualifier")),
        ("https://id.gs1.org/01/09506000134352/lot/A", None, Some("lot is no application identifier")),
        ("https://id.gs1.org/01/09506000134352/10", None, Some("10 has no value")),
        ("https://id.gs1.org/01/09506000134352/10/123456789012345678901", None, Some("the value of 10")),
        ("https://id.gs1.org/01/09506000134352/10/a%20b", None, Some("the value of 10")),
        ("https://id.gs1.org/01/09506000134352/10/%ff", None, Some("the value of 10")),
        ("https://id.gs1.org/01/09506000134352?17=261301", None, Some("the value of 17")),
        ("https://id.gs1.org/01/09506000134352?17=", None, Some("the value of 17")),
        ("https://id.gs1.org/01/09506000134352?7003=2601001200", None, Some("the value of 7003")),
        ("https://id.gs1.org/01/09506000134352?14=1", None, Some("14 is no application identifier")),
        ("https://id.gs1.org/01/09506000134352/10/A?10=B", None, Some("10 stands twice")),
        ("https://id.gs1.org/01/09506000134353/10/A/22/B", Some("should be 2"), Some("22 is no qualifier")),
    ] {
        let faults = faults_of(data).expect(data);
        for (found, expected) in [(faults.check_digit, check_digit), (faults.syntax, syntax)] {
            let holds = match (&found, expected) {
                (Some(found), Some(expected)) => found.contains(expected),
                (None, None) => true,
                _ => false,
            };
            assert!(holds, "{data}: {found:?}, not {expected:?}");
        }
    }
}
