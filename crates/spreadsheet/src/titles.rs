//! Titles of people.

use crate::names::{is_one_of, simplified, words};
use crate::things::is_name_of;

/// The column may hold the titles of people, such as `Dr.`
pub(crate) fn names_person_title(name: &str) -> bool {
    let simple = simplified(name);
    is_name_of("personTitle", &simple) || simple == "nameprefix"
}

/// The title of a person is an academic one: `Prof. Dr.`, `Dipl.-Ing.`
pub(crate) fn names_degree(title: &str) -> bool {
    const BEGINNINGS: [&str; 10] =
        ["dr", "prof", "professor", "doctor", "doktor", "dipl", "mag", "ing", "pd", "dott"];

    words(title).first().is_some_and(|word| BEGINNINGS.contains(&word.as_str()))
}

/// The title of a person is no job: `Mme`, `Herr Dr.`
pub(crate) fn names_salutation(title: &str) -> bool {
    const SALUTATIONS: &str = "mr mrs ms miss mx sir madam m mme mlle monsieur madame mademoiselle herr frau fräulein hr fr sr sra srta señor señora \
        don doña sig signor signora dhr mevr mw mevrouw meneer pan pani paní fru frøken herra rouva bay bayan";

    let words = words(title);
    let is_part = |word: &String| is_one_of(word, SALUTATIONS) || names_degree(word);
    words.iter().any(|word| is_one_of(word, SALUTATIONS)) && words.iter().all(is_part)
}
