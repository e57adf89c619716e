//! Correction of a block's codewords (ISO/IEC 18004, annex B): syndromes, the error locator by Berlekamp and Massey, its
//! roots, and the errors by Forney's rule.

use crate::ReadError;
use crate::field::{exponent, power, product, quotient};

/// The most error correction codewords of a block.
const MAX_CORRECTION: usize = 30;

/// Products of each element with the powers of 2 that are roots of a generator polynomial.
static PRODUCTS: [[u8; 256]; MAX_CORRECTION] = {
    let mut products = [[0; 256]; MAX_CORRECTION];
    let mut root = 1;
    let mut place = 0;
    while place < MAX_CORRECTION {
        let mut element = 0;
        while element < 256 {
            products[place][element] = product(element as u8, root);
            element += 1;
        }
        root = product(root, 2);
        place += 1;
    }
    products
};

/// Coefficients, the lowest first.
type Polynomial = [u8; MAX_CORRECTION + 1];

/// Corrects a block of data codewords and `correction` (30 at most) codewords behind them. Returns how many were wrong.
pub(crate) fn correct(block: &mut [u8], correction: usize) -> Result<usize, ReadError> {
    let syndromes = syndromes(block, correction);
    if syndromes.iter().all(|&syndrome| syndrome == 0) {
        return Ok(0);
    }
    let (locator, errors) = error_locator(&syndromes[..correction]);
    // Without regard to the codewords that are kept against misdecoding: the caller knows what the data has to be.
    if errors > correction / 2 {
        return Err(ReadError::Uncorrectable);
    }
    let evaluator = error_evaluator(&syndromes[..correction], &locator, errors);
    let length = block.len();
    let mut found = 0;
    for place in 0..length {
        // The codeword at the end has place 0.
        let inverse = power(255 - place);
        if value(&locator[..=errors], inverse) != 0 {
            continue;
        }
        let slope = derivative(&locator[..=errors], inverse);
        if slope == 0 {
            return Err(ReadError::Uncorrectable);
        }
        let error = product(power(place), quotient(value(&evaluator[..errors], inverse), slope));
        block[length - 1 - place] ^= error;
        found += 1;
    }
    if found == errors { Ok(errors) } else { Err(ReadError::Uncorrectable) }
}

/// The block's polynomial at the powers 0 to `correction` − 1 of 2.
fn syndromes(block: &[u8], correction: usize) -> [u8; MAX_CORRECTION] {
    let mut syndromes = [0; MAX_CORRECTION];
    let places = &mut syndromes[..correction];
    for &codeword in block {
        for (syndrome, products) in places.iter_mut().zip(&PRODUCTS) {
            *syndrome = products[usize::from(*syndrome)] ^ codeword;
        }
    }
    syndromes
}

/// The polynomial whose roots are the inverses of the errors' places, and its degree.
fn error_locator(syndromes: &[u8]) -> (Polynomial, usize) {
    let mut locator: Polynomial = [0; _];
    locator[0] = 1;
    let mut earlier = locator;
    let (mut degree, mut distance, mut earlier_discrepancy) = (0, 1, 1);
    for step in 0..syndromes.len() {
        let terms = (1..=degree).map(|term| product(locator[term], syndromes[step - term]));
        let discrepancy = terms.fold(syndromes[step], |sum, term| sum ^ term);
        if discrepancy == 0 {
            distance += 1;
            continue;
        }
        let before = locator;
        let factor = quotient(discrepancy, earlier_discrepancy);
        for (coefficient, &other) in locator[distance..].iter_mut().zip(&earlier) {
            *coefficient ^= product(factor, other);
        }
        if 2 * degree <= step {
            (degree, distance) = (step + 1 - degree, 1);
            (earlier, earlier_discrepancy) = (before, discrepancy);
        } else {
            distance += 1;
        }
    }
    (locator, degree)
}

/// The lowest coefficients of the product of syndromes and locator.
fn error_evaluator(syndromes: &[u8], locator: &Polynomial, errors: usize) -> Polynomial {
    let mut evaluator: Polynomial = [0; _];
    for (place, coefficient) in evaluator.iter_mut().enumerate().take(errors) {
        let terms = (0..=place).map(|term| product(syndromes[term], locator[place - term]));
        *coefficient = terms.fold(0, |sum, term| sum ^ term);
    }
    evaluator
}

/// The polynomial's value at an element that is not 0.
fn value(polynomial: &[u8], at: u8) -> u8 {
    let at = exponent(at);
    let times = |element: u8| if element == 0 { 0 } else { power(exponent(element) + at) };
    polynomial.iter().rev().fold(0, |sum, &coefficient| times(sum) ^ coefficient)
}

/// The value of the formal derivative: in this field the odd terms alone remain, of a degree lower by one.
fn derivative(polynomial: &[u8], at: u8) -> u8 {
    let squared = product(at, at);
    polynomial.iter().skip(1).step_by(2).rev().fold(0, |sum, &odd| product(sum, squared) ^ odd)
}
