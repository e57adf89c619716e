//! The two teams of a game, by the names of their columns: `Heim, Gast`.

use qrpress_kinds::Kind;

use crate::names::{LONGEST, is_one_of, simplified};
use crate::parts::Part;

const HOME: &str = "heim heimteam heimmannschaft heimverein home hometeam domicile équipedomicile équipeàdomicile recevant clubrecevant casa squadracasa squadradicasa squadraincasa \
    squadraospitante thuis thuisteam thuisploeg thuisclub local equipolocal mandante visitado equipadacasa gospodarz gospodarze hemma hemmalag hjemme hjemmelag hjemmehold koti \
    kotijoukkue domácí domaci hazai hazaicsapat domaćin";

const GUESTS: &str = "gast gäste gastteam gastmannschaft gastverein guest guests away awayteam visitor visitors visitingteam extérieur exterieur équipeextérieure équipeàlextérieur \
    visiteur visiteurs clubvisiteur trasferta ospite ospiti squadraospite uit uitteam uitploeg uitclub bezoekers visitante visitantes equipovisitante gość goście borta bortalag borte \
    bortelag ude udehold vieras vierasjoukkue hosté hostia vendég vendégcsapat gost gosti";

/// The columns of both teams, the one at home first.
pub(crate) fn teams(names: &[&str]) -> Option<[u32; 2]> {
    let column_of = |words: &str| {
        let is_name = |name: &&str| name.len() <= LONGEST && is_one_of(&simplified(name), words);
        names.iter().position(is_name).map(|position| position as u32)
    };
    Some([column_of(HOME)?, column_of(GUESTS)?])
}

/// The columns of both teams of a game, where no other column has the titles of events.
pub(crate) fn title_of_teams(
    kind: Kind,
    names: &[&str],
    is_title: impl Fn(&str) -> bool,
) -> Option<[u32; 2]> {
    let [home, guests] = teams(names).filter(|_| kind == Kind::Event)?;
    let is_other = |column| column != home && column != guests;
    let mut others = (0..).zip(names).filter(|(column, _)| is_other(*column));
    (!others.any(|(_, name)| is_title(name))).then_some([home, guests])
}

/// The column of the guests, where `title` is that of the team at home.
pub(crate) fn guests(names: &[&str], title: u32) -> Option<Part> {
    let [home, guests] = teams(names)?;
    let part = Part { column: guests, field: "title", joint: " – ", is_before: false };
    (home == title).then_some(part)
}
