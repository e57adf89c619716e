//! Currencies in the names and cells of columns of payments.

use crate::names::{LONGEST, is_one_of, simplified};

/// Names of a column of currencies, which no kind takes.
const CURRENCY: &str = "currency currencycode ccy währung währungscode devise monnaie moneda divisa valuta moeda waluta mena měna valuutta \
    pénznem deviza parabirimi валюта νόμισμα 通貨 币种 貨幣 통화 العملة מטבע";

/// The column holds currencies.
pub(crate) fn names_currency(name: &str) -> bool {
    let simple = simplified(name);
    name.len() <= LONGEST && is_one_of(&simple, CURRENCY)
}

/// Names and signs of the euro.
const EURO: &str = "eur euro euros eura eurá evro евро ευρώ €";

/// Currencies as the names of columns of amounts have them.
const OTHERS: &str = "chf sfr fr franken francs usd dollar dollars $ gbp pound pounds £ pln zł zl czk kč kc huf ft ron lei leu sek nok dkk isk kr bgn лв \
    rsd din try tl ₺ uah грн ₴ rub руб ₽ mkd bam mdl gel jpy ¥ cny cad aud";

/// Codes of currencies (ISO 4217), without those that are words.
const CODES: &str = "aed ars aud bam bgn bhd brl cad chf clp cny cop czk dkk dzd egp eur gbp gel ghs hkd hrk huf idr ils inr isk jod jpy kes krw \
    kwd kzt lkr mad mdl mkd mxn myr ngn nok nzd omr pen php pkr pln qar ron rsd rub sar sek sgd thb tnd try twd uah usd uyu vnd xaf xof zar";

/// The cell is the code of a currency.
pub(crate) fn is_currency_code(text: &str) -> bool {
    let code = text.trim();
    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase()) && is_one_of(code, CODES)
}

/// The cell of a column of currencies has another one than the euro. Dates are none: `Valuta` may be the day of the value.
pub(crate) fn is_other_currency(text: &str) -> bool {
    let is_sign = |character: char| character.is_alphabetic() || "$£¥₺₴₽".contains(character);
    text.contains(is_sign)
        && !text.contains(char::is_numeric)
        && !with_signs(text).any(|word| is_one_of(word, EURO))
}

/// The words of a text, and its signs of currencies.
fn with_signs(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |character: char| !character.is_alphanumeric() && !"€$£¥₺₴₽".contains(character);
    text.split(is_between).filter(|word| !word.is_empty())
}

/// The currency that the name of a column of amounts shows, unless it is the euro: `Kwota (PLN)`.
pub(crate) fn other_currency(name: &str) -> Option<&str> {
    with_signs(name).find_map(other_currency_in)
}

/// The currency that a word is, unless it is the euro, or the code at its end: `AmountUSD`.
fn other_currency_in(word: &str) -> Option<&str> {
    let is_code = |code: &&str| is_currency_code(code) && !is_one_of(code, EURO);
    if is_one_of(word, OTHERS) || is_code(&word) {
        return Some(word);
    }
    let (rest, code) = word.split_at_checked(word.len().checked_sub(3)?)?;
    Some(code).filter(is_code).filter(|_| rest.ends_with(char::is_lowercase))
}

/// Hundredths of the euro.
const CENTS: &str = "cent cts eurocent centime centimes centesimi centesimo céntimo céntimos centimos cêntimo cêntimos centen centów centy centů";

/// Words before a part that amounts have in them.
const INCLUDING: &str =
    "incl inkl including inclusive inclusief incluant inclus incluida incluido inclusa incluso";

/// The word is one for cents. `CT` is a canton, among others.
fn is_cents(word: &str) -> bool {
    word == "ct" || is_one_of(word, CENTS) || word.to_lowercase().ends_with("cents")
}

/// The name of a column of amounts says that they are in cents: `Betrag in Cent`, `amount_cents`, `Amount (cents, EUR)`. Those of
/// `Betrag in Euro und Cent`, `Betrag €,ct` and `Amount incl. cents` are in euros.
pub(crate) fn names_cents(name: &str) -> bool {
    const AND: &str = "and und et e y en i a og och with mit avec con met";

    let name = name.replace(['/', '&', '+'], " and ");
    // `Euro's en centen`.
    let words: Vec<&str> = with_signs(&name).filter(|word| *word != "s").collect();
    let is_euro = |word| is_one_of(word, EURO);
    let has_both = words.windows(3).any(|three| {
        let [first, second] = [three[0], three[2]];
        is_one_of(three[1], AND)
            && ((is_euro(first) && is_cents(second)) || (is_cents(first) && is_euro(second)))
    });
    let includes = words.windows(2).any(|pair| is_one_of(pair[0], INCLUDING) && is_cents(pair[1]));
    words.iter().any(|word| is_cents(word)) && !has_both && !includes && !has_decimals(&name)
}

/// The name shows how amounts are written: `Betrag €,ct`, `in Euro, Cent`. `(EUR, cents)` may mean cents.
fn has_decimals(name: &str) -> bool {
    name.match_indices([',', '.']).any(|(place, sign)| {
        let (before, behind) = (&name[..place], &name[place + sign.len()..]);
        let words: Vec<&str> = with_signs(before).collect();
        let is_euro = words.last().is_some_and(|word| is_one_of(word, EURO) && before.ends_with(word));
        let is_in = words.iter().rev().nth(1) == Some(&"in") && sign == ",";
        let behind = if is_in { behind.trim_start() } else { behind };
        is_euro && with_signs(behind).next().is_some_and(|word| is_cents(word) && behind.starts_with(word))
    })
}

/// The amount is one in euros, whatever the name of its column says: `25.–`, `25 €`. Programs write `2500.0` for cents, too.
pub(crate) fn is_in_euros(amount: &str) -> bool {
    with_signs(amount).any(|word| is_one_of(word, EURO)) || amount.trim().ends_with(['-', '–', '—'])
}

/// Words for what is still to be paid.
const OPEN: &str = "open outstanding remaining pay offen offene offener zahlen zahlender restlicher dû due payer régler virer restant restante \
    pendiente pendente pagar pagare residuo openstaand openstaande betalen zapłaty úhradě zaplacení betala betale maksettava avoin";

/// The name of a column of amounts without their unit, the year, the tax that is in them, the invoice, and what is still open of it, where it
/// shows one of these: `Betrag in EUR`, `Montant TTC`, `Bedrag incl. btw`, `Importe pendiente`, `Beitrag 2027`. None where it holds the tax, as
/// `MwSt-Betrag` does, or a discount.
pub(crate) fn without_terms(name: &str) -> Option<String> {
    const GROSS: &str = "gross brutto bruto lordo ttc total celkem bruttó razem";
    const TAX: &str = "tax mwst ust steuer vat btw iva tva dph moms alv áfa";
    const INVOICE: &str =
        "invoice rechnung facture factura fattura fatura factuur faktury due zahlbar payable";
    const DISCOUNT: &str = "skonto rabatt discount escompte descuento sconto korting rabat";
    const LESS: &str = "abzgl abzüglich nach less after minus moins menos meno na po efter netto net";
    const BETWEEN: &str = "in en em w v i of der de da do della di del con com avec met to be still zu noch à a por te k att at til";

    let is_year = |word: &str| word.parse().is_ok_and(|year: u16| (2000..2100).contains(&year));
    let is_any = |word: &str, lists: &[&str]| lists.iter().any(|list| is_one_of(word, list));
    let has = |lists: &[&str]| with_signs(name).any(|word| is_any(word, lists));
    let is_other = |word: &&str| other_currency_in(word) == Some(word);
    let has_cents = names_cents(name);
    let is_tax = has(&[TAX]) && !has(&[INCLUDING, GROSS]);
    let is_discount = has(&[DISCOUNT]) && !has(&[LESS]);
    let has_term = has(&[EURO, INCLUDING, GROSS, INVOICE, OPEN, DISCOUNT])
        || with_signs(name).any(|word| is_other(&word))
        || has_cents
        || with_signs(name).any(is_year);
    if is_tax || is_discount || !has_term {
        return None;
    }
    let less: &[&str] = if has(&[DISCOUNT]) { &[DISCOUNT, LESS] } else { &[] };
    let left_out = [EURO, INCLUDING, GROSS, TAX, INVOICE, OPEN, BETWEEN];
    let rest = with_signs(name)
        .filter(|word| ![&left_out, less].iter().any(|lists| is_any(word, lists)) && !is_year(word))
        .filter(|word| !((has_cents && is_cents(word)) || is_other(word)));
    Some(simplified(&rest.collect::<String>()))
}

/// The name says that the tax is in the amount, or that the amount is still to be paid.
pub(crate) fn says_due(name: &str) -> bool {
    with_signs(name).any(is_due)
}

fn is_due(word: &str) -> bool {
    word.eq_ignore_ascii_case("ttc") || is_one_of(word, OPEN)
}

/// The name says this of a total or of a rest, and nothing else: `Total TTC`, `Net à régler`, `À virer`.
pub(crate) fn names_due(name: &str) -> bool {
    const OF_AMOUNTS: &str = "total net reste à";

    let words: Vec<&str> = with_signs(name).filter(|word| !is_one_of(word, EURO)).collect();
    let is_known = |word: &&str| is_due(word) || is_one_of(word, OF_AMOUNTS);
    words.len() > 1 && words.iter().all(is_known) && words.iter().any(|word| is_due(word))
}
