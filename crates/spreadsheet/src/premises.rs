//! Words in the names of columns for where an address or a number belongs to.

use crate::names::{folded, is_one_of, words};

/// A firm or a home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Premises {
    Firm,
    Home,
}

const FIRM: &str = "g pro prof business work office mailing dienstl geschaftl berufl company geschaftlich dienstlich beruflich büro arbeit bureau professionnel professionnelle trabajo \
    oficina laboral trabalho comercial ufficio uff lavoro werk zakelijk jobb arbete arbetet arbejde arbeid työ praca sluzbowy sluzbowe prace \
    pracovni munkahelyi munka serviciu sluzbeni poslovni рабочий служебный робочий";

const HOME: &str = "p perso home private personal privat priv domicile personnel personnelle casa particular prive thuis hem hemma hjem hjemme koti \
    prywatny prywatne domowy domowe domu domaci otthoni otthon acasa abitazione privatni kucni домашний личный домашній";

/// The premises that a word of a name in lower case is for.
pub(crate) fn premises(word: &str) -> Option<Premises> {
    let word = folded(word);
    let is = |words| is_one_of(&word, words);
    if is(HOME) { Some(Premises::Home) } else { is(FIRM).then_some(Premises::Firm) }
}

/// The word is one for a place of work that may be another one's: of a child's school.
pub(crate) fn is_institution(word: &str) -> bool {
    is_one_of(&folded(word), "school schule ecole scuola escuela klinik clinique praxis")
}

/// The premises that a column's name says.
pub(crate) fn premises_in(name: &str) -> Option<Premises> {
    words(name).iter().find_map(|word| premises(word))
}
