//! The sample captions.

/// Script and caption.
pub fn samples() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("../samples.txt").lines().filter_map(|line| line.split_once('\t'))
}
