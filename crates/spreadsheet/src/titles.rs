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

    // In Italian, `di` is a word between others.
    let behind_di = title.strip_prefix("DI").map(|rest| rest.trim_start_matches([' ', '.']));
    behind_di.is_some_and(|rest| rest.is_empty() || names_degree(rest))
        || words(title).first().is_some_and(|word| BEGINNINGS.contains(&word.as_str()))
}

/// The text has nothing but titles that stand behind the name: `BEd`, `MSc, PhD`.
pub(crate) fn are_behind_name(title: &str) -> bool {
    const TITLES: &str = "ba bsc bed beng llb bba ma msc med meng llm mba mas phd";

    let words: Vec<String> =
        title.split([' ', ',']).filter(|part| !part.is_empty()).map(simplified).collect();
    !words.is_empty() && words.iter().all(|word| is_one_of(word, TITLES))
}

/// The academic title of `Dr.` or `Frau Dr.`, and the French one of a professor or an advocate.
pub(crate) fn degree_in(title: &str) -> Option<&str> {
    let title = title.trim();
    if names_degree(title)
        || are_behind_name(title)
        || ["Pr", "Me", "Maître"].contains(&title.trim_end_matches('.'))
    {
        return Some(title);
    }
    let (first, rest) = title.split_once(' ')?;
    names_salutation(first).then(|| degree_in(rest)).flatten()
}

/// The title of a person is no job: `Mme`, `Herr Dr.`, `Sig.ra`
pub(crate) fn names_salutation(title: &str) -> bool {
    const SALUTATIONS: &str = "mr mrs ms miss mx sir madam m mme mlle monsieur madame mademoiselle herr herrn frau fräulein hr fr sr sra srta señor señora \
        don doña dña sig signor signora sigra signa dhr mevr mw mevrouw meneer pan pani paní fru frøken herra rouva bay bayan";

    let is_part = |word: &String| is_one_of(word, SALUTATIONS) || names_degree(word);
    let are_of_one =
        |words: &[String]| words.iter().any(|word| is_one_of(word, SALUTATIONS)) && words.iter().all(is_part);
    let with_points: Vec<String> = title.split_whitespace().map(simplified).collect();
    are_of_one(&words(title)) || are_of_one(&with_points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_stand_alone_or_behind_salutations() {
        for (title, degree) in [
            ("Dr.", "Dr."),
            ("Frau Dr.", "Dr."),
            ("Sig. Dott.", "Dott."),
            ("Herr Prof. Dr.", "Prof. Dr."),
            ("Pr", "Pr"),
            ("Me", "Me"),
            ("DI Dr.", "DI Dr."),
            ("BEd", "BEd"),
            ("M.Sc., PhD", "M.Sc., PhD"),
        ] {
            assert_eq!(degree_in(title), Some(degree), "{title}");
        }
        for title in [
            "Herr",
            "PR",
            "PR Manager",
            "Mme Directrice",
            "me@work",
            "MA Vertrieb",
            "Di Rienzo",
            "DI Lead",
            "DIY",
            "",
        ] {
            assert_eq!(degree_in(title), None, "{title}");
        }
        for title in ["Sig.ra", "Mevr.", "M.", "Frau Dr.", "Dhr. ing.", "Herr/Frau"] {
            assert!(names_salutation(title), "{title}");
        }
        assert!(!names_salutation("Sales"));
    }
}
