//! Words that stand in place of a time and say that an event is of the whole day: `ganztägig`, `all day`.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::values::trimmed;

/// The words, in lower case. Each time of a list is looked up among them.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ALL_WORDS.split('|').collect());

const ALL_WORDS: &str = "all day|all-day|allday|all day long|all day event|whole day|the whole day|full day|full-day|ganztägig|ganztaegig|ganztags|ganztägige|ganztägiges|ganzer tag|\
    den ganzen tag|hele dag|de hele dag|gehele dag|hele dagen|hela dagen|heldag|heldags|toute la journée|toute la journee|journée entière|\
    la journée|journée|journée complète|todo el día|todo el dia|día completo|dia completo|día entero|tutto il giorno|tutta la giornata|giornata intera|\
    intera giornata|dia inteiro|o dia inteiro|dia todo|o dia todo|todo o dia|cały dzień|caly dzien|przez cały dzień|całodniowe|całodniowy|całodniowa|\
    całodzienne|całodzienny|całodzienna|celý den|celodenní|po celý den|celý deň|celodenné|celodenná|koko päivä|koko päivän|egész nap|egész napos|cijeli dan|\
    cjelodnevno|celodnevno|cel dan|ves dan|ceo dan|toată ziua|toata ziua|tüm gün|tam gün|bütün gün|весь день|целый день|цілий день|цял ден|през целия ден|\
    όλη μέρα|όλη την ημέρα|όλη η μέρα|ολοήμερο|ολοήμερη|terve päev|kogu päev|visu dienu|visą dieną|終日|全天|整天|하루 종일|종일|طوال اليوم|כל היום|ทั้งวัน|\
    cả ngày|sepanjang hari|seharian";

/// The text says that an event is of the whole day.
pub fn says_whole_day(text: &str) -> bool {
    let lower = trimmed(text).trim_matches(['(', ')', '[', ']', '.', '!']).to_lowercase();
    WORDS.contains(&*lower)
}
