//! The codewords that some modules are part of, against those that error correction repairs.

use qrpress_symbol::{Blocks, ErrorCorrectionLevel, Version, data_modules};

/// The codewords of a block that are lost, and those that error correction can repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockDamage {
    /// Codewords with a module that is not read.
    pub lost: usize,
    /// Codewords at unknown places that the block's error correction codewords repair (ISO/IEC 18004, table 9).
    pub repairable: usize,
}

/// Damage to each block when the modules for which `is_lost(column, row)` holds cannot be read.
pub fn damage(
    version: Version,
    level: ErrorCorrectionLevel,
    is_lost: impl Fn(usize, usize) -> bool,
) -> Vec<BlockDamage> {
    let blocks = Blocks::new(version, level);
    let repairable = (blocks.ec - detection_codewords(version, level)) / 2;
    let mut damage = vec![BlockDamage { lost: 0, repairable }; blocks.count];
    let mut counted = None;
    // Remainder bits are in no codeword.
    for (bit, (x, y)) in data_modules(version).take(8 * total_codewords(&blocks)).enumerate() {
        let codeword = bit / 8;
        if counted != Some(codeword) && is_lost(x, y) {
            counted = Some(codeword);
            damage[block_of(codeword, &blocks)].lost += 1;
        }
    }
    damage
}

fn total_codewords(blocks: &Blocks) -> usize {
    blocks.data_codewords() + blocks.count * blocks.ec
}

/// The block of a codeword of the final sequence (ISO/IEC 18004, clause 7.6).
fn block_of(codeword: usize, blocks: &Blocks) -> usize {
    let (even, data) = (blocks.short_data * blocks.count, blocks.data_codewords());
    match codeword {
        // The last codewords of longer blocks come after all other data codewords.
        _ if (even..data).contains(&codeword) => blocks.short_count + codeword - even,
        _ if codeword < even => codeword % blocks.count,
        _ => (codeword - data) % blocks.count,
    }
}

/// Codewords that small symbols keep to detect errors, and don't correct with (ISO/IEC 18004, table 9, note b).
fn detection_codewords(version: Version, level: ErrorCorrectionLevel) -> usize {
    match (version.number(), level) {
        (1, ErrorCorrectionLevel::Low) => 3,
        (1, ErrorCorrectionLevel::Medium) | (2, ErrorCorrectionLevel::Low) => 2,
        (1, _) | (3, ErrorCorrectionLevel::Low) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_symbol_loses_all_its_codewords() {
        for number in 1..=40 {
            let version = Version::new(number).expect("a version");
            for level in ErrorCorrectionLevel::ALL {
                let lost = damage(version, level, |_, _| true);
                assert_eq!(
                    lost.iter().map(|block| block.lost).sum::<usize>(),
                    total_codewords(&Blocks::new(version, level))
                );
                let blocks = Blocks::new(version, level);
                for (index, block) in lost.iter().enumerate() {
                    let data = blocks.start(index + 1) - blocks.start(index);
                    assert_eq!(block.lost, data + blocks.ec);
                }
            }
        }
    }

    /// Codewords are repaired by pairs of those for error correction. So the share of `repairable` that is left is the unused
    /// error correction of ISO/IEC 15415, 1 − 2t/(d − p), and one bound serves both.
    #[test]
    fn error_correction_is_in_pairs() {
        for number in 1..=40 {
            let version = Version::new(number).expect("a version");
            for level in ErrorCorrectionLevel::ALL {
                let left = Blocks::new(version, level).ec - detection_codewords(version, level);
                assert!(left.is_multiple_of(2), "version {number}, {level:?}: {left}");
            }
        }
    }

    #[test]
    fn table_9() {
        use ErrorCorrectionLevel::{High, Low, Medium, Quartile};
        let repairable = |number, level| {
            damage(Version::new(number).expect("a version"), level, |_, _| false)[0].repairable
        };
        assert_eq!([Low, Medium, Quartile, High].map(|level| repairable(1, level)), [2, 4, 6, 8]);
        assert_eq!([Low, Medium].map(|level| repairable(2, level)), [4, 8]);
        assert_eq!([repairable(3, Low), repairable(4, Low), repairable(40, High)], [7, 10, 15]);
    }
}
