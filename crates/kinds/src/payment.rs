//! A SEPA credit transfer (EPC069-12, version 002): what bank apps read as *Girocode*.

use crate::values::{Fault, Values};

/// Bytes of a code.
const MOST_BYTES: usize = 331;

/// Countries of SEPA in January 2026 (EPC409-09) with the length of their IBANs.
const IBAN_LENGTHS: &str = "AD24AL28AT20BE16BG22CH21CY28CZ24DE22DK18EE20ES24FI18FR27GB22GI23GR27HR21HU28IE22IS26IT27LI21LT20LU20LV21MC27MD24ME22MK19MT31NL18NO15PL28PT25RO24RS22SE24SI19SK24SM27VA22";

/// Countries of them without the euro.
const WITHOUT_EURO: &str = "AL CH CZ DK GB GI HU IS LI MD MK NO PL RO RS SE";

/// The account of a payment. None for other texts.
pub fn account_of_payment(code: &str) -> Option<&str> {
    code.strip_prefix("BCD\n002\n1\nSCT\n")?.lines().nth(2)
}

/// The country of a payment's account, where it has not the euro. None for other texts.
pub fn country_without_euro(code: &str) -> Option<&'static str> {
    let iban = account_of_payment(code)?;
    WITHOUT_EURO.split_ascii_whitespace().find(|country| iban.starts_with(country))
}

/// The amount of a payment, in cents. None where the payer fills it in, and for other texts.
pub fn cents_of_payment(code: &str) -> Option<u64> {
    let amount = code.strip_prefix("BCD\n002\n1\nSCT\n")?.lines().nth(3)?;
    amount.strip_prefix("EUR")?.replace('.', "").parse().ok()
}

/// A payment with neither text nor reference. False for other texts.
pub fn is_payment_without_text(code: &str) -> bool {
    code.strip_prefix("BCD\n002\n1\nSCT\n").is_some_and(|rest| rest.lines().nth(4).is_none())
}

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    let name = limited(values, "name", 70)?;
    let iban = iban(values)?;
    let bic = values.line("bic")?.to_ascii_uppercase();
    if !bic.is_empty() && !is_bic(&bic) {
        return Err(Fault::new("bic", "a BIC has 8 or 11 letters and digits, such as COBADEFFXXX."));
    }
    let amount = amount(values)?;
    let reference = reference(values)?;
    let text = limited(values, "text", 140)?;
    if !reference.is_empty() && !text.is_empty() {
        return Err(Fault::new("text", "a payment has a reference or a text, and not both."));
    }
    let of_text = written(text);
    let (reference, text) = if is_reference(&of_text) { (of_text, "") } else { (reference, text) };
    let lines = ["BCD", "002", "1", "SCT", &bic, name, &iban, &amount, "", &reference, text];
    let last = lines.iter().rposition(|line| !line.is_empty()).unwrap_or_default();
    let code = lines[..=last].join("\n");
    if code.len() > MOST_BYTES {
        let longest = if text.len() > name.len() { "text" } else { "name" };
        let bytes = code.len();
        let message =
            format!("the payment has {bytes} bytes of {MOST_BYTES} that are allowed. Shorten the {longest}.");
        return Err(Fault::new(longest, message));
    }
    Ok(code)
}

fn limited<'v>(values: Values<'v>, field: &'static str, most: usize) -> Result<&'v str, Fault> {
    let text = values.line(field)?;
    if text.chars().count() > most {
        return Err(Fault::new(field, format!("the value has more than {most} characters.")));
    }
    Ok(text)
}

/// A reference of the creditor (ISO 11649), which has no spaces but on paper. Bank apps leave out any other.
fn reference(values: Values<'_>) -> Result<String, Fault> {
    let text = limited(values, "reference", 35)?;
    let reference = written(text);
    let refuse = |message: &str| Err(Fault::new("reference", message));
    if reference.is_empty() {
        return Ok(reference);
    }
    if !reference.starts_with("RF") {
        return refuse(
            "a reference begins with RF (ISO 11649). Put an invoice number and the like into the text.",
        );
    }
    if !is_reference(&reference) {
        return refuse("the check digits of this creditor reference (RF…) are wrong.");
    }
    Ok(reference)
}

/// An IBAN or a reference without the spaces that it has on paper.
fn written(text: &str) -> String {
    text.replace([' ', '\u{a0}'], "").to_ascii_uppercase()
}

fn is_reference(text: &str) -> bool {
    let is_checked = |rest: &str| rest.bytes().take(2).all(|byte| byte.is_ascii_digit());
    text.strip_prefix("RF").is_some_and(is_checked)
        && (5..=25).contains(&text.len())
        && remainder(text) == Some(1)
}

fn iban(values: Values<'_>) -> Result<String, Fault> {
    account(values.line("iban")?)
}

/// The text is an IBAN of a country of SEPA.
#[must_use]
pub fn is_account(text: &str) -> bool {
    account(text).is_ok()
}

fn account(text: &str) -> Result<String, Fault> {
    let iban = written(text);
    let refuse = |message: &str| Err(Fault::new("iban", message));
    let bytes = iban.as_bytes();
    let is_written = (15..=34).contains(&bytes.len())
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && bytes.iter().all(u8::is_ascii_alphanumeric);
    if !is_written {
        return refuse(
            "an IBAN has the letters of a country, two check digits, and up to 30 letters and digits.",
        );
    }
    let country = IBAN_LENGTHS.as_bytes().chunks(4).find(|country| country[..2] == bytes[..2]);
    let Some(&[_, _, tens, ones]) = country else {
        return refuse(&format!("the country {} does not take part in SEPA.", &iban[..2]));
    };
    let length = usize::from(tens - b'0') * 10 + usize::from(ones - b'0');
    if bytes.len() != length {
        return refuse(&format!(
            "an IBAN of {} has {length} characters; this one has {}.",
            &iban[..2],
            bytes.len()
        ));
    }
    if remainder(&iban) != Some(1) {
        return refuse("the check digits of the IBAN are wrong.");
    }
    Ok(iban)
}

/// ISO 7064, MOD 97-10, with the first four characters behind the others. None for characters that are neither letters nor digits.
fn remainder(text: &str) -> Option<u32> {
    let (head, rest) = text.split_at_checked(4)?;
    rest.chars().chain(head.chars()).try_fold(0, |sum, character| {
        let value = character.to_digit(36).filter(|_| !character.is_ascii_lowercase())?;
        Some((if value < 10 { sum * 10 } else { sum * 100 } + value) % 97)
    })
}

/// ISO 9362.
fn is_bic(bic: &str) -> bool {
    matches!(bic.len(), 8 | 11)
        && bic.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && bic.bytes().skip(4).take(2).all(|byte| byte.is_ascii_uppercase())
}

/// `EUR12.30`, from `12.3`, `12,30`, `12,30 €`, `25,-`, `25.--`, `1.299,-` or `1.299,00`. Empty where there is none: then the payer fills it in.
fn amount(values: Values<'_>) -> Result<String, Fault> {
    let text = values.line("amount")?;
    if text.is_empty() {
        return Ok(String::new());
    }
    let refuse = |message: &str| Err(Fault::new("amount", message));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !text.contains(|character: char| character.is_ascii_digit()) {
        return refuse(
            "there is no number. Write an amount in euros such as 12.30, or leave the cell empty: then whoever pays types it.",
        );
    }
    if text.starts_with(['-', '−']) {
        return refuse("the amount must be above 0.");
    }
    let text = without_euro(text);
    // No cents.
    let undashed = text.trim_end_matches(['-', '–', '—']);
    let whole = undashed.strip_suffix([',', '.']).filter(|_| undashed.len() < text.len());
    let text = whole.unwrap_or(text);
    if text.ends_with(['-', '−']) {
        return refuse("the amount is a credit, below 0: it has a minus at the end.");
    }
    let ungrouped = ungrouped(text, whole.is_some());
    let text = ungrouped.as_deref().unwrap_or(text);
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    if !is_number(whole) || !is_number(fraction) {
        return refuse("payments are in euros. Write the amount as a number, such as 12.30.");
    }
    if fraction.len() == 3 && whole.len() <= 3 && !whole.starts_with('0') && ungrouped.is_none() {
        return refuse(&format!(
            "write two decimals: {text} may be {whole}{fraction}.00 or have three decimals."
        ));
    }
    if fraction.len() > 2 {
        return refuse("the amount has more than two decimals.");
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let amount = format!("{whole}.{fraction:0<2}");
    if whole.len() > 9 || amount == "0.00" {
        return refuse("the amount is between 0.01 and 999999999.99.");
    }
    Ok(format!("EUR{amount}"))
}

/// An amount without the euro's sign or name before or after it.
fn without_euro(text: &str) -> &str {
    let is_euro = |part: &str| ["€", "EUR", "EURO"].iter().any(|euro| part.eq_ignore_ascii_case(euro));
    let is_of_number = |character: char| character.is_ascii_digit();
    let first = text.find(is_of_number).unwrap_or_default();
    let is_dash = |character: char| ",.-–—".contains(character);
    let end = text.rfind(is_of_number).map_or(text.len(), |last| last + 1);
    let end = text.len() - text[end..].trim_start_matches(is_dash).len();
    if is_euro(text[..first].trim()) {
        text[first..].trim()
    } else if is_euro(text[end..].trim()) {
        text[..end].trim()
    } else {
        text
    }
}

/// A number without the marks between its thousands: `1.299,00`, `1,299.00`, `1 299,00`, `1'299.00`, `1.299.000`. None where
/// it has none, or where the only one may begin decimals: not so in a `whole` number, such as that of `1.299,-`.
fn ungrouped(text: &str, is_whole: bool) -> Option<String> {
    let mark = text.chars().find(|character| !character.is_ascii_digit())?;
    let is_decimal = |character: char| matches!(character, '.' | ',');
    if !is_decimal(mark) && !" \u{a0}\u{202f}'’".contains(mark) {
        return None;
    }
    let (whole, decimals) = match text.rsplit_once(is_decimal) {
        Some((whole, _)) if !is_whole && !text[whole.len()..].starts_with(mark) => {
            (whole, &text[whole.len()..])
        }
        _ => (text, ""),
    };
    let mut groups = whole.split(mark);
    let is_first =
        groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && !first.starts_with('0'));
    let is_sure = is_whole || !is_decimal(mark) || !decimals.is_empty() || whole.matches(mark).count() > 1;
    (is_first && is_sure && groups.all(|group| group.len() == 3)).then(|| whole.replace(mark, "") + decimals)
}
