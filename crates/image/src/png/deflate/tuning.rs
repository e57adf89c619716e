//! A code that suits the tokens that are cheapest in it.

use super::{Code, Frequencies, LONGEST_CODEWORD};

/// Times that the code is made anew from the cheapest tokens under the code before.
const ROUNDS: usize = 3;

/// The code for tokens that are the same under every code, `fixed`, and others that `count` finds and counts under a given
/// code. `bytes` is a first guess: `fixed`, and the bytes of the others as literals.
pub(crate) fn tuned_code(
    fixed: &Frequencies,
    bytes: Frequencies,
    mut count: impl FnMut(&Code, &mut Frequencies),
) -> Code {
    let mut frequencies = bytes;
    for _ in 0..ROUNDS {
        let code = Code::new(&frequencies, LONGEST_CODEWORD);
        frequencies = fixed.clone();
        count(&code, &mut frequencies);
    }
    Code::new(&frequencies, LONGEST_CODEWORD)
}
