//! The contract's limits of items.

use qrpress_batch::ItemLimits;

/// The limits of a job posted as one JSON body, as `src/contract/limits.ts` has them.
pub const ITEM_LIMITS: ItemLimits = ItemLimits {
    max_items: 20_000,
    max_data_characters: 2953,
    max_filename_characters: 120,
    max_caption_characters: 120,
    max_reference_characters: 120,
    max_archive_name_characters: 100,
    max_side_px: 4096,
    max_issues: 100,
};

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn limits_are_the_contract_s() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/contract/limits.ts");
        let table = fs::read_to_string(path).expect("the contract's table");
        let limit = |name: &str| -> u64 {
            let line = table.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
            let number = line.and_then(|rest| rest.strip_suffix(',')).expect(name);
            number.replace('_', "").parse().expect(name)
        };
        let ItemLimits {
            max_items,
            max_data_characters,
            max_filename_characters,
            max_caption_characters,
            max_reference_characters,
            max_archive_name_characters,
            max_side_px,
            max_issues,
        } = ITEM_LIMITS;
        assert_eq!(max_items, limit("jsonItems"));
        assert_eq!(max_data_characters as u64, limit("dataCharacters"));
        assert_eq!(max_filename_characters as u64, limit("filenameCharacters"));
        assert_eq!(max_caption_characters as u64, limit("captionCharacters"));
        assert_eq!(max_reference_characters as u64, limit("referenceCharacters"));
        assert_eq!(max_archive_name_characters as u64, limit("archiveNameCharacters"));
        assert_eq!(u64::from(max_side_px), limit("sidePx"));
        assert_eq!(max_issues as u64, limit("issues"));
    }
}
