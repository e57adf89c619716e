/** The profile that `QRPRESS_CARGO_PROFILE` names, for the addon, the crates' tests and Clippy: what they have in common is compiled once. */
const profile = process.env['QRPRESS_CARGO_PROFILE'];

/** Words of `cargo test` and `cargo clippy`. */
export const CARGO_WORDS = profile === undefined ? [] : ['--profile', profile];

/** The profile of the addon. */
export const ADDON_PROFILE = profile ?? 'release';
