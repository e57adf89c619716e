/** Words of `cargo test` and `cargo clippy` that choose the profile. CI has that of the addon, to compile together what they have in common. */

export const CARGO_WORDS = process.env['QRPRESS_CARGO_WORDS']?.split(' ') ?? [];
