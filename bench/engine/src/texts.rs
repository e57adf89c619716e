//! The data of the workloads, made the same way every time.

/// The number of different texts of a workload: enough that none is in the branch predictor.
const TEXTS: u64 = 400;

/// URLs of exactly `bytes` bytes, all different.
pub(crate) fn texts(bytes: usize) -> Vec<String> {
    (0..TEXTS).map(|number| text(bytes, number)).collect()
}

fn text(bytes: usize, number: u64) -> String {
    let mut text = format!("https://example.com/t/{number:06}?s=");
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while text.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text.push(char::from(b"abcdefghijklmnopqrstuvwxyz0123456789"[(state >> 32) as usize % 36]));
    }
    text
}
