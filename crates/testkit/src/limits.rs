//! The contract's limits of items.

/// The limits of a job posted as one JSON body, as `src/contract/limits.ts` has them, as a value of the type named:
/// `item_limits!(ItemLimits)`.
#[macro_export]
macro_rules! item_limits {
    ($limits:ident) => {
        $limits {
            max_items: 20_000,
            max_data_characters: 2953,
            max_filename_characters: 120,
            max_caption_characters: 120,
            max_reference_characters: 120,
            max_archive_name_characters: 100,
            max_side_px: 4096,
            max_issues: 100,
        }
    };
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    #[allow(clippy::struct_field_names, reason = "the names of those of batch")]
    struct Limits {
        max_items: u64,
        max_data_characters: u64,
        max_filename_characters: u64,
        max_caption_characters: u64,
        max_reference_characters: u64,
        max_archive_name_characters: u64,
        max_side_px: u64,
        max_issues: u64,
    }

    #[test]
    fn limits_are_the_contract_s() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/contract/limits.ts");
        let table = fs::read_to_string(path).expect("the contract's table");
        let limit = |name: &str| -> u64 {
            let line = table.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
            let number = line.and_then(|rest| rest.strip_suffix(',')).expect(name);
            number.replace('_', "").parse().expect(name)
        };
        let limits = item_limits!(Limits);
        assert_eq!(limits.max_items, limit("jsonItems"));
        assert_eq!(limits.max_data_characters, limit("dataCharacters"));
        assert_eq!(limits.max_filename_characters, limit("filenameCharacters"));
        assert_eq!(limits.max_caption_characters, limit("captionCharacters"));
        assert_eq!(limits.max_reference_characters, limit("referenceCharacters"));
        assert_eq!(limits.max_archive_name_characters, limit("archiveNameCharacters"));
        assert_eq!(limits.max_side_px, limit("sidePx"));
        assert_eq!(limits.max_issues, limit("issues"));
    }
}
