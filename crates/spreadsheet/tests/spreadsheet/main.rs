//! Lists and workbooks, as people write them and as attackers do.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]
mod below;
mod beside;
mod composed;
mod corpus;
mod encodings;
mod events;
mod exports;
mod goods;
mod headings;
mod headless;
mod hostile;
mod links;
mod lists;
mod merged_cells;
mod odd;
mod one_day;
mod programmes;
mod several_columns;
mod workbook;
