//! The application identifiers (AI) with the form of their values: GS1 General Specifications, section 3; the qualifiers of keys:
//! GS1 Digital Link URI Syntax 1.6, section 4.

/// An application identifier, or several that follow each other, with the form of the value.
///
/// The form lists components: `N` (digits), `X` (character set 82) or `Y` (character set 39) with a length, such as `6` or `..20`.
/// Behind it stand `c` for a check digit at the end, `m` for two check characters there, `d` for a date whose day may be 00, `D` for a date, and `?` where the
/// component may be absent.
pub(super) struct Identifier {
    first: &'static str,
    last: &'static str,
    pub form: &'static str,
    /// Of a key: its qualifiers in their order, and after `|` another such list.
    pub qualifiers: Option<&'static str>,
}

const fn attribute(first: &'static str, last: &'static str, form: &'static str) -> Identifier {
    Identifier { first, last, form, qualifiers: None }
}

const fn key(name: &'static str, form: &'static str, qualifiers: &'static str) -> Identifier {
    Identifier { first: name, last: name, form, qualifiers: Some(qualifiers) }
}

/// The identifier of that name.
pub(super) fn identifier(name: &str) -> Option<&'static Identifier> {
    if is_measure(name) {
        return Some(&MEASURE);
    }
    let after = TABLE.partition_point(|entry| entry.first <= name);
    TABLE[..after].last().filter(|entry| name <= entry.last && name.len() == entry.last.len())
}

/// Measures: the last digit tells where the decimal point is.
const MEASURE: Identifier = attribute("3100", "3695", "N6");

fn is_measure(name: &str) -> bool {
    if name.len() != 4 || !name.starts_with('3') {
        return false;
    }
    let series = [("310", "316"), ("320", "337"), ("340", "357"), ("360", "369")];
    let Some((unit, point)) = name.split_at_checked(3) else { return false };
    let is_unit = series.iter().any(|(first, last)| (*first..=*last).contains(&unit));
    is_unit && !matches!(unit, "338" | "339") && matches!(point, "0" | "1" | "2" | "3" | "4" | "5")
}

/// In the order of their text.
const TABLE: &[Identifier] = &[
    key("00", "N18c", ""),
    key("01", "N14c", "22,10,21|235"),
    attribute("02", "03", "N14c"),
    attribute("10", "10", "X..20"),
    attribute("11", "13", "N6d"),
    attribute("15", "17", "N6d"),
    attribute("20", "20", "N2"),
    attribute("21", "22", "X..20"),
    attribute("235", "235", "X..28"),
    attribute("240", "241", "X..30"),
    attribute("242", "242", "N..6"),
    attribute("243", "243", "X..20"),
    attribute("250", "251", "X..30"),
    key("253", "N13c X..17?", ""),
    attribute("254", "254", "X..20"),
    key("255", "N13c N..12?", ""),
    attribute("30", "30", "N..8"),
    attribute("37", "37", "N..8"),
    attribute("3900", "3909", "N..15"),
    attribute("3910", "3919", "N3 N..15"),
    attribute("3920", "3929", "N..15"),
    attribute("3930", "3939", "N3 N..15"),
    attribute("3940", "3943", "N4"),
    attribute("3950", "3955", "N6"),
    attribute("400", "400", "X..30"),
    key("401", "X..30", ""),
    key("402", "N17c", ""),
    attribute("403", "403", "X..30"),
    attribute("410", "413", "N13c"),
    key("414", "N13c", "254|7040"),
    key("415", "N13c", "8020"),
    attribute("416", "416", "N13c"),
    key("417", "N13c", "7040"),
    attribute("420", "420", "X..20"),
    attribute("421", "421", "N3 X..9"),
    attribute("422", "422", "N3"),
    attribute("423", "423", "N3 N3? N3? N3? N3?"),
    attribute("424", "424", "N3"),
    attribute("425", "425", "N3 N3? N3? N3? N3?"),
    attribute("426", "426", "N3"),
    attribute("427", "427", "X..3"),
    attribute("4300", "4301", "X..35"),
    attribute("4302", "4306", "X..70"),
    attribute("4307", "4307", "X2"),
    attribute("4308", "4308", "X..30"),
    attribute("4309", "4309", "N10 N10"),
    attribute("4310", "4311", "X..35"),
    attribute("4312", "4316", "X..70"),
    attribute("4317", "4317", "X2"),
    attribute("4318", "4318", "X..20"),
    attribute("4319", "4319", "X..30"),
    attribute("4320", "4320", "X..35"),
    attribute("4321", "4323", "N1"),
    attribute("4324", "4325", "N6d N4"),
    attribute("4326", "4326", "N6D"),
    attribute("4330", "4333", "N6 X1?"),
    attribute("7001", "7001", "N13"),
    attribute("7002", "7002", "X..30"),
    attribute("7003", "7003", "N6D N4"),
    attribute("7004", "7004", "N..4"),
    attribute("7005", "7005", "X..12"),
    attribute("7006", "7006", "N6D"),
    attribute("7007", "7007", "N6D N6D?"),
    attribute("7008", "7008", "X..3"),
    attribute("7009", "7009", "X..10"),
    attribute("7010", "7010", "X..2"),
    attribute("7011", "7011", "N6D N4?"),
    attribute("7020", "7022", "X..20"),
    attribute("7023", "7023", "X..30"),
    attribute("7030", "7039", "N3 X..27"),
    attribute("7040", "7040", "N1 X1 X1 X1"),
    attribute("7041", "7041", "X..4"),
    attribute("710", "717", "X..20"),
    attribute("7230", "7239", "X2 X..28"),
    attribute("7240", "7240", "X..20"),
    attribute("7241", "7241", "N2"),
    attribute("7242", "7242", "X..25"),
    attribute("7250", "7250", "N8"),
    attribute("7251", "7251", "N8 N4"),
    attribute("7252", "7252", "N1"),
    attribute("7253", "7254", "X..40"),
    attribute("7255", "7255", "X..10"),
    attribute("7256", "7256", "X..90"),
    attribute("7257", "7257", "X..70"),
    attribute("7258", "7258", "X3"),
    attribute("7259", "7259", "X..40"),
    attribute("8001", "8001", "N4 N5 N3 N1 N1"),
    attribute("8002", "8002", "X..20"),
    key("8003", "N1 N13c X..16?", ""),
    key("8004", "X..30", "7040"),
    attribute("8005", "8005", "N6"),
    key("8006", "N14c N4", "22,10,21"),
    attribute("8007", "8007", "X..34"),
    attribute("8008", "8008", "N6D N2 N2? N2?"),
    attribute("8009", "8009", "X..50"),
    key("8010", "Y..30", "8011"),
    attribute("8011", "8011", "N..12"),
    attribute("8012", "8012", "X..20"),
    key("8013", "X..25m", ""),
    attribute("8014", "8014", "X..25"),
    key("8017", "N18c", "8019"),
    key("8018", "N18c", "8019"),
    attribute("8019", "8019", "N..10"),
    attribute("8020", "8020", "X..25"),
    attribute("8026", "8026", "N14c N4"),
    attribute("8030", "8030", "Z..90"),
    attribute("8040", "8041", "N15"),
    attribute("8042", "8042", "N32"),
    attribute("8043", "8043", "N18 N..2?"),
    attribute("8110", "8110", "X..70"),
    attribute("8111", "8111", "N4"),
    attribute("8112", "8112", "X..70"),
    attribute("8200", "8200", "X..70"),
    attribute("90", "90", "X..30"),
    attribute("91", "99", "X..90"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_found_in_their_order() {
        assert!(TABLE.windows(2).all(|pair| pair[0].last < pair[1].first));
        for (name, form) in [
            ("01", Some("N14c")),
            ("13", Some("N6d")),
            ("17", Some("N6d")),
            ("14", None),
            ("3103", Some("N6")),
            ("3106", None),
            ("3383", None),
            ("3929", Some("N..15")),
            ("410", Some("N13c")),
            ("99", Some("X..90")),
            ("1", None),
            ("100", None),
            ("9", None),
            ("", None),
        ] {
            assert_eq!(identifier(name).map(|found| found.form), form, "{name}");
        }
    }
}
