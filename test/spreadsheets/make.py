"""Writes the spreadsheets of this folder, each by the program that its entry in corpus.json names.

`python make.py` needs openpyxl, xlsxwriter, LibreOffice (`soffice`), and exceljs and xlsx (SheetJS) where `NODE_PATH` points; `biome format --write corpus.json` then lays the list out.
What no program writes, and what attackers do, is put together here byte by byte.
"""

import datetime
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

import openpyxl
import xlsxwriter
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

FOLDER = pathlib.Path(__file__).parent
FILES = FOLDER / "files"
CORPUS = []


def add(name, program, content=None, **expected):
    """Writes a file, and notes what must come of it."""
    if content is not None:
        (FILES / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    CORPUS.append({"file": name, "program": program, **expected})


URL = "https://example.org/map?q=52,13"
ITEMS = [
    {"data": URL, "filename": "Hall 1", "caption": "Café"},
    {"data": "https://example.org/2", "filename": "Hall 2", "caption": "Größe; 3"},
]


def csv_files():
    de = 'data;filename;caption\r\nhttps://example.org/map?q=52,13;Hall 1;Café\r\nhttps://example.org/2;Hall 2;"Größe; 3"\r\n'
    us = 'data,filename,caption\r\n"https://example.org/map?q=52,13",Hall 1,Café\r\nhttps://example.org/2,Hall 2,Größe; 3\r\n'
    tab = 'data\tfilename\tcaption\r\nhttps://example.org/map?q=52,13\tHall 1\tCafé\r\nhttps://example.org/2\tHall 2\tGröße; 3\r\n'
    add("excel-de-utf8.csv", "as Excel (de), CSV UTF-8", b"\xef\xbb\xbf" + de.encode(), items=ITEMS)
    add("excel-de.csv", "as Excel (de), CSV", de.encode("cp1252"), items=ITEMS, notices=["Windows-1252.*Café.*Größe"])
    add("excel-us-utf8.csv", "as Excel (en), CSV UTF-8", b"\xef\xbb\xbf" + us.encode(), items=ITEMS)
    add("excel-unicode.txt.csv", "as Excel, Unicode text", b"\xff\xfe" + tab.encode("utf-16-le"), items=ITEMS)
    add("utf16-be.csv", "by hand", b"\xfe\xff" + de.encode("utf-16-be"), items=ITEMS)
    add("google.csv", "as Google Sheets", us.replace("\r\n", "\r\n")[:-2], items=ITEMS)
    add("numbers.csv", "as Numbers", us.replace("\r\n", "\n"), items=ITEMS)
    add("mac.csv", "as Excel for Mac, Macintosh CSV", us.replace("\r\n", "\r").replace("Café", "Cafe").replace("Größe", "Groesse"), items=[{**ITEMS[0], "caption": "Cafe"}, {**ITEMS[1], "caption": "Groesse; 3"}])
    add("sep.csv", "by hand, for Excel", "sep=;\r\n" + de, items=ITEMS, rows=[2, 3])
    add("sep-bar.csv", "by hand, for Excel", "SEP=|\r\ndata|caption\r\na,b;c|d\r\n", items=[{"data": "a,b;c", "caption": "d"}])
    add("trailing.csv", "as Excel (de)", "data;filename;;\r\na;b;;\r\n;;;\r\n\r\nc;d;;\r\n;;;\r\n", items=[{"data": "a", "filename": "b"}, {"data": "c", "filename": "d"}], rows=[2, 5])
    add("quoted-newlines.csv", "as LibreOffice", 'data,caption\n"BEGIN:VCARD\nVERSION:3.0\nEND:VCARD","a ""quoted"" word"\nx,y\n', items=[{"data": "BEGIN:VCARD\nVERSION:3.0\nEND:VCARD", "caption": 'a "quoted" word'}, {"data": "x", "caption": "y"}], rows=[2, 3])
    add("one-column.csv", "as Excel (de)", "data\r\n" + URL + "\r\n", items=[{"data": URL}], notices=["comma or semicolon.*row 2"])
    add("other-names.csv", "by hand", "Preis;Webadresse;Beschriftung;Dateiname\n5;u;c;n\n", items=[{"data": "u", "filename": "n", "caption": "c"}], notices=["Not in the codes: Preis"])
    add("chosen.csv", "by hand", "Artikel;Ziel;Foto\nc;u;n\n", options={"columns": {"data": "ziel", "filename": "C", "caption": "Artikel"}}, items=[{"data": "u", "filename": "n", "caption": "c"}])
    add("unknown-names.csv", "by hand", "Artikel;Ziel\nc;u\n", problems=["Which column holds.*A .Artikel., B .Ziel"], asks="columns")
    add("two-claims.csv", "by hand", "url;link;name\na;b;c\n", problems=["A .url. and B .link. could both be the data"], asks="columns")
    add("absent-column.csv", "by hand", "url;name\na;c\n", options={"columns": {"caption": "Titel"}}, problems=["no column Titel"], asks="columns")
    add("no-header.csv", "by hand", "https://example.org/1,first\nhttps://example.org/2,second\n", problems=["Row 1: the row looks like data"], asks="header")
    add("no-header-chosen.csv", "by hand", "https://example.org/1,first\nhttps://example.org/2,second\n", options={"layout": "rows", "columns": {"data": "A", "filename": "B"}}, items=[{"data": "https://example.org/1", "filename": "first"}, {"data": "https://example.org/2", "filename": "second"}], rows=[1, 2])
    add("lines.txt", "by hand", "https://example.org/1\r\n\r\n  say \"hello\", you  \r\n", options={"layout": "lines"}, items=[{"data": "https://example.org/1"}, {"data": 'say "hello", you'}], rows=[1, 3])
    add("header-alone.csv", "by hand", "data,filename\n", problems=["no row below"])
    add("empty.csv", "by hand", "", problems=["empty"])
    add("blank.csv", "by hand", "\n\n ;;\n", problems=["nothing in the file"])
    add("ragged.csv", "by hand", "data,filename\na,b\nhttps://example.org/?q=1,2,Hall\n", problems=["Row 3: the row has more cells than the first row .2."])
    add("short-row.csv", "by hand", "data,filename\na\nb,c\n", items=[{"data": "a"}, {"data": "b", "filename": "c"}])
    add("stray-quote.csv", "by hand", 'data,filename\na,5" pipe\nb,c\n', items=[{"data": "a", "filename": '5" pipe'}, {"data": "b", "filename": "c"}])
    add("text-after-quote.csv", "by hand", 'data,filename\n"a"b,c\n', problems=["Row 2, column A .data.: text follows the closing quote"])
    add("open-quote.csv", "by hand", 'data,filename\na,b\n"c,d\ne,f\n', problems=["Row 3, column A .data.: the quote that opens this cell is not closed"])
    add("no-data.csv", "by hand", "data,filename\na,b\n,c\n", problems=["Row 3, column A .data.: the cell is empty"])
    add("digits-left-out.csv", "as Excel (de)", "data;filename\n4,00638E+12;a\n", problems=["Row 2, column A .data.: .*left digits"])
    add("powers.csv", "as programs in Java", "data,filename\n4.006381333931E12,a\n1E05,b\n", problems=["Row 2, column A .data.: the number is written with a power of ten"])
    add("decimals.csv", "as pandas, of a column with empty cells", "data,filename\n4006381333931.0,a\n5.0,b\n", problems=["Row 2, column A .data.: the program that wrote the file added a decimal"])
    add("invisible.csv", "by hand", "data,filename\nhttps://example.org/\u200b,a\n\u00a0b,b\n", items=[{"data": "https://example.org/\u200b", "filename": "a"}, {"data": "\u00a0b", "filename": "b"}], notices=["1 value begins or ends with a space.*row 3", "1 value holds a character that cannot be seen.*row 2"])
    for name, encoding, program, text in [("latin-2.csv", "iso8859_2", "by hand", "Łódź, żółty"), ("mac-roman-bullet.csv", "mac_roman", "as Excel for Mac, Macintosh CSV", "naïve")]:
        add(name, program, f"data;caption\r\nhttps://example.org;{text}\r\n".encode(encoding), problems=["seems to be written in.*Choose its encoding"])
    add("archive.mht.csv", "as Excel, web archive", "MIME-Version: 1.0\r\nX-Document-Type: Workbook\r\nContent-Type: multipart/related\r\n", problems=["a web page or XML"])
    add("names-websiteurl.csv", "by hand", "Website URL,Nom d'image,Untertitel\nu,n,c\n", items=[{"data": "u", "filename": "n", "caption": "c"}])
    add("leading-zeros.csv", "by hand", "data;filename\n00123;007\n", items=[{"data": "00123", "filename": "007"}])
    add("duplicates.csv", "by hand", "data,filename\na,x\nb,X\na,y\n", items=[{"data": "a", "filename": "x"}, {"data": "b", "filename": "X"}, {"data": "a", "filename": "y"}], notices=["1 row has the same data.*row 4", "1 row has the same file name.*row 3"])
    add("spaces.csv", "by hand", 'data, filename , caption\na, b ,c\n" d",e,f\n', items=[{"data": "a", "filename": "b", "caption": "c"}, {"data": " d", "filename": "e", "caption": "f"}], notices=["1 value begins or ends with a space"])
    add("damaged-utf8.csv", "by hand", b"data,caption\na,Caf\xc3\xa9\nb,Caf\xe9\n", problems=["Row 3, column B .caption.: a character is damaged"])
    add("replacement.csv", "by hand", "data,caption\na,Caf\ufffd\n", problems=["Row 2, column B .caption.: a character is damaged"])
    add("undefined-1252.csv", "by hand", b"data,caption\na,\x81\xe9\xe4\n", problems=["seems to be written in.*Choose its encoding"])
    add("nul.csv", "by hand", b"data\na\x00b\n", problems=["Row 2: the file is no text: a NUL byte stands here"])
    add("utf16-no-mark.csv", "by hand", de.encode("utf-16-le"), problems=["UTF-16 without a byte order mark"])
    add("utf32.csv", "by hand", b"\xff\xfe\0\0" + de.encode("utf-32-le"), problems=["UTF-32"])
    for encoding, program, text in [("mac_roman", "as Excel for Mac, Macintosh CSV", "Café"), ("cp850", "as programs of DOS", "Größe")]:
        add(f"{encoding.replace('_', '-')}.csv", program, f"data;caption\r\nhttps://example.org;{text}\r\n".encode(encoding), problems=["seems to be written in.*Choose its encoding"])
    for file, encoding, program, text, name in [("koi8-r.csv", "koi8_r", "by hand", "Москва, большой зал", "KOI8-U"), ("shift-jis.csv", "shift_jis", "as Excel (ja), CSV", "東京都", "Shift_JIS"), ("gbk.csv", "gbk", "as Excel (zh), CSV", "北京", "GBK"), ("cp1251.csv", "cp1251", "as Excel (ru), CSV", "Москва", "Windows-1251"), ("cp1251-capitals.csv", "cp1251", "as Excel (ru), CSV", "МОСКВА, ПЕРВЫЙ ЗАЛ", "Windows-1251"), ("cp1253.csv", "cp1253", "as Excel (el), CSV", "Αθήνα", "Windows-1253"), ("big5.csv", "big5", "as Excel (zh-TW), CSV", "台北市", "Big5"), ("euc-kr.csv", "euc_kr", "as Excel (ko), CSV", "회의실 하나", "EUC-KR")]:
        add(file, program, f"data;caption\r\nhttps://example.org;{text}\r\n".encode(encoding), items=[{"data": "https://example.org", "caption": text}], notices=[f"{name}.*{text}.*choose another encoding"])
    add("cp1250.csv", "as Excel (pl), CSV", "data;caption\r\nhttps://example.org;Wrocław\r\n".encode("cp1250"), items=[{"data": "https://example.org", "caption": "Wrocław"}], notices=["Windows-1250.*Wrocław.*choose another encoding"])
    # All bytes of these mean letters in Windows-1252 too.
    for encoding, program, text, read in [("cp1250", "as Excel (cs), CSV", "Dvořák", "Dvoøák"), ("cp1254", "as Excel (tr), CSV", "İzmir", "Ýzmir"), ("cp1257", "as Excel (lt), CSV", "Šiauliai", "Ðiauliai")]:
        add(f"{encoding}-letters.csv", program, f"data;caption\r\nhttps://example.org;{text}\r\n".encode(encoding), items=[{"data": "https://example.org", "caption": read}], notices=[f"Windows-1252.*{read}.*save the file as CSV in UTF-8"])
    add("cp1252-signs.csv", "as Excel (fr), CSV", "Lien;Légende\r\nhttps://example.org/é;« l’été » – 5 € ÀÉÎÕÜ\r\n".encode("cp1252"), items=[{"data": "https://example.org/é", "caption": "« l’été » – 5 € ÀÉÎÕÜ"}], notices=["Windows-1252.*l’été"])
    add("bars.csv", "by hand", "data|filename\na|b\n", items=[{"data": "a", "filename": "b"}])
    add("sheetjs.dif", "as SheetJS", 'TABLE\r\n0,1\r\n"EXCEL"\r\nVECTORS\r\n', problems=["a DIF file"])
    add("sheetjs.slk", "as SheetJS", "ID;PSheetJS;N;E\r\nC;Y1;X1;K\"data\"\r\nE\r\n", problems=["a SYLK file"])
    add("ambiguous.csv", "by hand", "Ziel;Foto,Bild\na;b,c\n", problems=["Row 1: the cells may be separated by more than one"])
    add("semicolon-names.csv", "by hand", "Link;Name, short\nhttps://example.org/a,b;x\n", items=[{"data": "https://example.org/a,b"}], notices=["Not in the codes: Name, short"])
    titled_csv_files()
    failed_csv_files()
    add("picture.csv", "by hand", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", problems=["a picture.*Save it as CSV or XLSX"])
    add("document.pdf", "by hand", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", problems=["a PDF.*Save it as CSV or XLSX"])
    add("page.csv", "by hand", "<html><table><tr><td>data</td></tr></table></html>", problems=["a web page or XML"])


def titled_csv_files():
    item = {"data": "https://example.org", "filename": "a", "caption": "b"}
    table = "data,filename,caption\r\nhttps://example.org,a,b\r\n"
    add("title.csv", "as Excel (en)", "Our labels 2026,,\r\n,,\r\n" + table, items=[item], rows=[4], notices=["Row 1 is not used: it stands above the names"])
    add("title-semicolons.csv", "as Excel (de)", "Etiketten, Halle 5;;\r\nStand:;31.01.2026;\r\n" + table.replace(",", ";"), items=[item], rows=[4], notices=["Rows 1 to 2 are not used: they stand above"])
    add("title-apart.csv", "by hand", 'Labels, printed by "Ann"\n\n' + table, items=[item], rows=[4], notices=["Row 1 is not used"])
    add("comments.csv", "by hand", "# exported 2026; 5 rows\n# see https, below\nurl\nhttps://example.org/?a=1,2\n", items=[{"data": "https://example.org/?a=1,2"}], rows=[4], notices=["Rows 1 to 2 are not used", "comma or semicolon"])
    add("title-chosen.csv", "as Excel (de)", "Etiketten;;\r\n;;\r\nArtikel;Ziel;Foto\r\nc;u;n\r\n", options={"columns": {"data": "B"}}, items=[{"data": "u"}], rows=[4], notices=["Row 1 is not used", "Not in the codes: Artikel, Foto"])
    add("title-unknown.csv", "as Excel (de)", "Etiketten;;\r\n;;\r\nArtikel;Ziel;Foto\r\nc;u;n\r\n", problems=["Which column holds.*A .Artikel., B .Ziel., C .Foto"], asks="columns")
    add("value-called-link.csv", "as Excel (de)", "Ziel;Kategorie\r\nA-1;Text\r\nA-2;Link\r\n", problems=["Which column holds.*A .Ziel., B .Kategorie"], asks="columns")
    add("late-header.csv", "by hand", "".join(f"note {index}\n" for index in range(25)) + table, problems=["Which column holds|first row \\(1\\)"], asks="columns")
    add("one-name-of-several.csv", "as Excel (de)", "data;;\r\nhttps://example.org/?q=1,2;;\r\n", items=[{"data": "https://example.org/?q=1,2"}])
    add("members-first.csv", "by hand", "name,url,data,filename\nA,https://example.org,https://example.org/1,a\n", items=[{"data": "https://example.org/1", "filename": "a"}], notices=["Not in the codes: name, url"])


def failed_csv_files():
    for program, shown in [("Excel (en)", ["#N/A", "#REF!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#VALUE!", "#######"]), ("Excel (de)", ["#NV", "#BEZUG!", "#WERT!", "#ZAHL!"]), ("Excel (fr)", ["#VALEUR!", "#NOMBRE!", "#NOM?", "#NUL!"]), ("Excel (es)", ["#¡REF!", "#¿NOMBRE?", "#¡VALOR!"]), ("LibreOffice", ["Err:502", "#REF!", "###"])]:
        name = "errors-" + program.lower().replace(" ", "-").replace("(", "").replace(")", "") + ".csv"
        problems = ["the column was too narrow" if text.endswith("##") else "the cell shows the error " + text.replace("?", ".") for text in shown]
        add(name, "as " + program, "\ufeffdata,filename\n" + "".join(f"{text},a{row}\n" for row, text in enumerate(shown)), problems=[f"Row {row}, column A .data.: {problem}" for row, problem in enumerate(problems, 2)])
    add("errors-unused.csv", "as Excel (en)", "data,stock\na,#N/A\n", items=[{"data": "a"}], notices=["Not in the codes: stock"])
    add("error-caption.csv", "as Excel (en)", "data,caption\na,#REF!\n", problems=["Row 2, column B .caption.: the cell shows the error #REF!"])
    zeros = [{"data": "007", "filename": "a"}, {"data": '0"8,5', "filename": "00 1"}]
    add("zeros-behind-equals.csv", "as programs that keep leading zeros", 'data;filename\n="007";a\n="0""8,5";"=""00 1"""\n', items=zeros)
    add("zeros-behind-equals-quoted.csv", "as programs that keep leading zeros", '"data","filename"\n"=""007""","a"\n"=""0""""8,5""","=""00 1"""\n', items=zeros)
    add("formulas.csv", "by hand", 'data,caption\n=1+1,a\n"=HYPERLINK(""https://example.org"",""x"")",b\n="a"&B1,c\nd,=> Hall 5\ne,=A1\n', problems=["Row 2, column A .data.: the cell holds a formula", "Row 3, column A .data.: the cell holds a formula", "Row 4, column A .data.: the cell holds a formula", "Row 6, column B .caption.: the cell holds a formula"])
    add("digits-of-caption.csv", "as Excel (de)", "data;caption\na;4,00638E+12\n", problems=["Row 2, column B .caption.: .*left digits"])
    add("digits-replaced.csv", "as Excel (de)", "data;filename\n340123450000000000;4,00638E+12\n340123450000000000;a\n", problems=["Row 2, column B .filename.: .*left digits"], notices=["1 number has zeros from the 16th digit on.*row 3, column A"])
    add("zeros-at-the-end.csv", "as Excel (de)", "data;filename\n340123450000000000;a\n", items=[{"data": "340123450000000000", "filename": "a"}], notices=["1 number has zeros from the 16th digit on.*row 2, column A"])
    add("blank-cells.csv", "by hand", 'data,caption\na," "\n" ",\n', items=[{"data": "a"}])
    add("many-columns.csv", "by hand", ",".join(f"c{index}" for index in range(20_000)) + "\n", problems=["Row 1: the row has more than 16384 columns"])
    add("long-cell.csv", "by hand", 'data\n"' + "x" * 200_000 + '"\n', problems=["Row 2, column A .data.: the cell is longer than a spreadsheet program allows, or the quote"])


def openpyxl_files():
    titled_openpyxl_files()
    odd_openpyxl_file()
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Codes"
    sheet.append(["data", "filename", "caption", "Preis"])
    sheet.append([4006381333931, "ean", datetime.date(2026, 1, 31), 5])
    sheet.append([1067, "zip", datetime.datetime(2026, 1, 31, 13, 5, 9), 6])
    sheet["A3"].number_format = "00000"
    sheet.append([0.285, "percent", True])
    sheet["A4"].number_format = "0%"
    sheet.append([12.5, "general", "  two  spaces "])
    sheet.append(["a", "rich", CellRichText("one ", TextBlock(InlineFont(b=True), "two"), " three")])
    book.save(FILES / "openpyxl.xlsx")
    add("openpyxl.xlsx", "openpyxl", items=[
        {"data": "4006381333931", "filename": "ean", "caption": "2026-01-31"},
        {"data": "01067", "filename": "zip", "caption": "2026-01-31 13:05:09"},
        {"data": "29%", "filename": "percent", "caption": "TRUE"},
        {"data": "12.5", "filename": "general", "caption": "  two  spaces "},
        {"data": "a", "filename": "rich", "caption": "one two three"},
    ], notices=["Not in the codes: Preis", "1 number or date is written as in English.*12.5 .*; the first is in row 5"], sheet="Codes")

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["data", "caption"])
    sheet.append(["=CONCATENATE(\"a\",\"b\")", "x"])
    book.save(FILES / "openpyxl-formula.xlsx")
    add("openpyxl-formula.xlsx", "openpyxl", problems=["Row 2, column A .data.: the formula has not been computed"])

    book = openpyxl.Workbook()
    book.active.title = "Hidden"
    book.active.sheet_state = "hidden"
    book.active.append(["data"])
    book.active.append(["wrong"])
    for name in ["First", "Second"]:
        sheet = book.create_sheet(name)
        sheet.append(["data"])
        sheet.append([name])
    book.active = 1
    book.save(FILES / "sheets.xlsx")
    add("sheets.xlsx", "openpyxl", items=[{"data": "First"}], sheet="First", notices=["Only the sheet First is read.*Second"])
    CORPUS.append({"file": "sheets.xlsx", "program": "openpyxl", "options": {"sheet": "second"}, "items": [{"data": "Second"}]})
    CORPUS.append({"file": "sheets.xlsx", "program": "openpyxl", "options": {"sheet": "Third"}, "problems": ["no sheet Third. The sheets are: Hidden, First, Second"]})

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["data", "caption"])
    sheet.append(["a", "both"])
    sheet.append(["b", None])
    sheet.merge_cells("B2:B3")
    book.save(FILES / "merged.xlsx")
    add("merged.xlsx", "openpyxl", problems=["Row 2, column B .caption.: the cells B2:B3 are merged"])

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["data"])
    sheet.append(["a"])
    sheet.append(["b"])
    sheet.row_dimensions[3].hidden = True
    sheet["XFD1048576"].number_format = "0.00"
    book.save(FILES / "corner.xlsx")
    add("corner.xlsx", "openpyxl", items=[{"data": "a"}, {"data": "b"}], notices=["1 row is hidden"])

    book = openpyxl.Workbook()
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    sheet = book.active
    sheet.append(["data"])
    sheet.append([datetime.date(2026, 1, 31)])
    book.save(FILES / "days-of-1904.xlsx")
    add("days-of-1904.xlsx", "openpyxl", items=[{"data": "2026-01-31"}])

    book = openpyxl.Workbook()
    sheet = book.active
    for row in [["data"], ["a"], [None], [None], ["b"]]:
        sheet.append(row)
    book.save(FILES / "gaps.xlsx")
    add("gaps.xlsx", "openpyxl", items=[{"data": "a"}, {"data": "b"}], rows=[2, 5])

    openpyxl.Workbook().save(FILES / "empty.xlsx")
    add("empty.xlsx", "openpyxl", problems=["The sheet Sheet is empty"])


def titled_openpyxl_files():
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [["Our labels"], [], ["data", "filename", "caption"], ["https://example.org", "a", "b"]]:
        sheet.append(row)
    sheet.merge_cells("A1:C1")
    book.save(FILES / "title.xlsx")
    add("title.xlsx", "openpyxl", items=[{"data": "https://example.org", "filename": "a", "caption": "b"}], rows=[4], notices=["Row 1 is not used"])

    sheet.append(["https://example.org/2", "x", "y"])
    sheet.merge_cells("B5:C5")
    book.save(FILES / "title-merged.xlsx")
    add("title-merged.xlsx", "openpyxl", problems=["Row 5, column B .filename.: the cells B5:C5 are merged"])

    book = openpyxl.Workbook()
    book.active.title = "Welcome"
    book.active.append(["How to use this workbook"])
    sheet = book.create_sheet("Codes")
    sheet.append(["data"])
    sheet.append(["a"])
    book.save(FILES / "cover.xlsx")
    add("cover.xlsx", "openpyxl", problems=["Which column holds.*The workbook has another sheet: Codes."], asks="columns", sheet="Welcome")
    CORPUS.append({"file": "cover.xlsx", "program": "openpyxl", "options": {"sheet": "Codes"}, "items": [{"data": "a"}]})


def odd_openpyxl_file():
    book = openpyxl.Workbook()
    book.active.title = "Deckblatt"
    book.active.append(["Bitte lesen"])
    sheet = book.create_sheet("Maße & Preise")
    book.create_sheet("Leer")
    for row in [["Maße 2026"], [], ["Ziel <b>?</b>", 'Hall "5", \'West\'', None], ["https://example.org/1", "a", 5], ["https://example.org/2", "b"]]:
        sheet.append(row)
    book.save(FILES / "odd-names.xlsx")
    add("odd-names.xlsx", "openpyxl", problems=["Which column holds.*The workbook has other sheets: Maße & Preise, Leer."], asks="columns")
    CORPUS.append({"file": "odd-names.xlsx", "program": "openpyxl", "options": {"sheet": "Maße & Preise", "columns": {"data": "A"}}, "items": [{"data": "https://example.org/1"}, {"data": "https://example.org/2"}], "notices": ["Row 1 is not used", "Not in the codes: Hall .5., .West., column C"]})


def xlsxwriter_files():
    book = xlsxwriter.Workbook(FILES / "xlsxwriter.xlsx")
    sheet = book.add_worksheet("Labels")
    sheet.write_row(0, 0, ["URL", "Name", "Text"])
    sheet.write_string(1, 0, "https://example.org/?a=1&b=<2>")
    sheet.write_string(1, 1, "007")
    sheet.write_datetime(1, 2, datetime.datetime(2026, 1, 31), book.add_format({"num_format": "dd.mm.yyyy"}))
    sheet.write_number(2, 0, 4006381333931, book.add_format({"num_format": "0-000000-000000"}))
    sheet.write_number(2, 1, 1234567.5, book.add_format({"num_format": "#,##0.00"}))
    sheet.write_formula(2, 2, '="a"&"b"', None, "ab")
    book.close()
    add("xlsxwriter.xlsx", "xlsxwriter", items=[
        {"data": "https://example.org/?a=1&b=<2>", "filename": "007", "caption": "31.01.2026"},
        {"data": "4-006381-333931", "filename": "1,234,567.50", "caption": "ab"},
    ], sheet="Labels", notices=["1 number or date is written as in English.*1,234,567.50"])

    book = xlsxwriter.Workbook(FILES / "xlsxwriter-formula.xlsx")
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["data"])
    sheet.write_formula(1, 0, "=1+1")
    book.close()
    add("xlsxwriter-formula.xlsx", "xlsxwriter", problems=["Row 2, column A .data.: the formula has not been computed"])

    book = xlsxwriter.Workbook(FILES / "country-date.xlsx")
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["data"])
    sheet.write_datetime(1, 0, datetime.datetime(2026, 1, 31), book.add_format({"num_format": 14}))
    book.close()
    add("country-date.xlsx", "xlsxwriter", problems=["Row 2, column A .data.: the format of this number or date looks different in every country"])

    book = xlsxwriter.Workbook(FILES / "many-digits.xlsx")
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["data"])
    sheet.write_number(1, 0, 340123450000000018)
    book.close()
    add("many-digits.xlsx", "xlsxwriter", problems=["Row 2, column A .data.: the number has more than 15 digits"])

    book = xlsxwriter.Workbook(FILES / "constant-memory.xlsx", {"constant_memory": True})
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["data", "caption"])
    sheet.write_row(1, 0, ["inline", "Straße"])
    book.close()
    add("constant-memory.xlsx", "xlsxwriter, inline strings", items=[{"data": "inline", "caption": "Straße"}])


def shown_files():
    """Numbers in the formats of people."""
    formats = [
        ("[h]:mm", 1.5, "36:00"), ("[mm]:ss", 0.05, "72:00"), ("h:mm AM/PM", 0.75, "6:00 PM"), ("mm:ss.0", 0.0005, "00:43.2"),
        ("0.00E+00", 12345, "1.23E+04"), ("#,##0.00 \"€\"", 1234.5, "1,234.50 €"), ("0.0%", 0.1234, "12.3%"),
        ("[<100]\"few\";[>=100]\"many\"", 5, "few"), ("[<100]\"few\";[>=100]\"many\"", 500, "many"), ("\"ART-\"00000", 12345, "ART-12345"),
        ("_-* #,##0.00\\ \"€\"_-;\\-* #,##0.00\\ \"€\"_-", 7, "7.00 €"), ("yyyy-mm-dd", 61, "1900-03-01"), ("[$-409]d-mmm-yyyy;@", 46053, "31-Jan-2026"),
        ("0000000000000", 12345, "0000000012345"), ("General", 4006381333931, "4006381333931"), ("General", 0.1 + 0.2, "0.3"), ("General", -12.5, "-12.5"),
        ("dd/mm/yyyy hh:mm", 46053.5, "31/01/2026 12:00"), ("#,##0;(#,##0)", -1234, "(1,234)"), ("@", 42, "42"), ("0.##", 5.25, "5.25"),
    ]
    book = xlsxwriter.Workbook(FILES / "formats.xlsx")
    sheet = book.add_worksheet("Codes")
    sheet.write_row(0, 0, ["data", "filename"])
    for row, (code, number, _) in enumerate(formats, 1):
        sheet.write_number(row, 0, number, book.add_format({"num_format": code}))
        sheet.write_string(row, 1, f"n{row}")
    book.close()
    items = [{"data": shown, "filename": f"n{row}"} for row, (_, _, shown) in enumerate(formats, 1)]
    add("formats.xlsx", "xlsxwriter", items=items, notices=["9 numbers or dates are written as in English"])
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["data", "hidden", "caption"])
    sheet.append(["https://example.org/?a=1&b=2", "x", True])
    sheet.append(["00340123450000000018", "y", datetime.time(9, 30)])
    sheet["A2"].hyperlink = "https://example.org/other"
    sheet["A2"].value = "https://example.org/?a=1&b=2"
    sheet.column_dimensions["B"].hidden = True
    sheet.auto_filter.ref = "A1:C3"
    sheet.freeze_panes = "A2"
    book.save(FILES / "filtered.xlsx")
    # Texts with addresses behind them, as users of other programs sent it.
    add("links.xlsx", "openpyxl", problems=[f"Row {row}, column A .link.: the cell shows {text} and is a link to {address}" for row, text, address in [(2, "Open", "https://example.org/1"), (3, "Click here", "https://example.org/2"), (4, "example.org", "https://www.example.org/3")]])
    add("filtered.xlsx", "openpyxl", options={"links": "text"}, items=[{"data": "https://example.org/?a=1&b=2", "caption": "TRUE"}, {"data": "00340123450000000018", "caption": "9:30:00"}], notices=["Not in the codes: hidden"])

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["data"])
    sheet.append(["a"])
    sheet["XFD1048576"] = "far"
    book.save(FILES / "far-value.xlsx")
    add("far-value.xlsx", "openpyxl", problems=["Row 1048576, column A .data.: the cell is empty, but the row is not"], notices=["Not in the codes: column XFD."])


def meant_otherwise_files():
    """Sheets that show something else than a reader of their cells would take: totals, dates, signs, other sheets."""
    book = xlsxwriter.Workbook(FILES / "totals.xlsx")
    sheet = book.add_worksheet()
    sheet.add_table("A1:B4", {"columns": [{"header": "url", "total_string": "Total"}, {"header": "name", "total_function": "count"}], "data": [["https://example.org/1", "a"], ["https://example.org/2", "b"]], "total_row": True})
    book.close()
    add("totals.xlsx", "xlsxwriter", items=[{"data": "https://example.org/1", "filename": "a"}, {"data": "https://example.org/2", "filename": "b"}], notices=["1 row is not used, with the totals of a table.*row 4"])

    book = xlsxwriter.Workbook(FILES / "countries.xlsx")
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["data", "caption"])
    for row, (number, code) in enumerate([(46053, "dd/mm/yyyy"), (46053, "d-mmm-yy"), (1234.5, "#,##0.00"), (46053, "dd.mm.yyyy")], 1):
        sheet.write_string(row, 0, f"a{row}")
        sheet.write_number(row, 1, number, book.add_format({"num_format": code}))
    book.close()
    add("countries.xlsx", "xlsxwriter", items=[{"data": f"a{row}", "caption": shown} for row, shown in enumerate(["31/01/2026", "31-Jan-26", "1,234.50", "31.01.2026"], 1)], notices=["3 numbers or dates are written as in English.*: 31/01/2026 .*; the first is in row 2, column B"])

    book = xlsxwriter.Workbook(FILES / "uncertain.xlsx")
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["data"])
    for row, (number, code) in enumerate([(60, "yyyy-mm-dd"), (-5, "0.00;[Red]0.00"), (4006381333931, "0.00E+00"), (1.5, "# ?/8"), (46053.5, "上午/下午h\"時\"")], 1):
        sheet.write_number(row, 0, number, book.add_format({"num_format": code}))
    book.close()
    add("uncertain.xlsx", "xlsxwriter", problems=["Row 2, column A .data.: spreadsheet programs disagree about dates before 1 March 1900", "Row 3, column A .data.: the number is negative, and its format shows no sign", "Row 4, column A .data.: the format leaves digits of the number out", "Row 5, column A .data.: the number format . ./8 is not known", "Row 6, column A .data.: the number format .* is not known"])


NODE = r"""
const { Workbook } = require('exceljs');
const sheetjs = require('xlsx');
(async () => {
  const book = new Workbook();
  const sheet = book.addWorksheet('Codes');
  sheet.columns = [{ header: 'URL', key: 'data', width: 30 }, { header: 'Name', key: 'name' }, { header: 'Text', key: 'text' }];
  sheet.addRow({ data: { text: 'https://example.org/1', hyperlink: 'https://example.org/1' }, name: 'one', text: { richText: [{ text: 'a ' }, { font: { bold: true }, text: 'b' }] } });
  sheet.addRow({ data: 4006381333931, name: '007', text: { formula: 'B2&"x"', result: 'onex' } });
  sheet.addRow({ data: 815, name: 'three', text: { sharedFormula: 'C3', result: '007x' } });
  sheet.getCell('A4').numFmt = '00000';
  sheet.addRow({ data: 'four', name: 'four', text: new Date(Date.UTC(2026, 0, 31)) });
  sheet.getCell('C5').numFmt = 'dd.mm.yyyy';
  sheet.autoFilter = 'A1:C1';
  await book.xlsx.writeFile('exceljs.xlsx');
  sheet.getCell('C5').numFmt = 'mm-dd-yy';
  sheet.getCell('C4').value = { error: '#N/A' };
  await book.xlsx.writeFile('exceljs-refused.xlsx');
  for (const options of [{}, { bookSST: true, compression: true }]) {
    const rows = sheetjs.utils.aoa_to_sheet([['data', 'filename', 'caption'], ['https://example.org/1', 'one', true], [4006381333931, 'two', 'Größe; 3'], ['007', 'three', new Date(Date.UTC(2026, 0, 31))]], { dateNF: 'yyyy-mm-dd', UTC: true });
    const made = sheetjs.utils.book_new();
    sheetjs.utils.book_append_sheet(made, rows, 'Codes');
    sheetjs.writeFile(made, options.bookSST ? 'sheetjs-shared.xlsx' : 'sheetjs.xlsx', options);
    if (!options.bookSST) { sheetjs.writeFile(made, 'sheetjs.csv'); sheetjs.writeFile(made, 'sheetjs.xlsm'); }
  }
})();
"""


def node_files():
    subprocess.run(["node", "-e", NODE], cwd=FILES, check=True)
    add("exceljs.xlsx", "exceljs", items=[
        {"data": "https://example.org/1", "filename": "one", "caption": "a b"},
        {"data": "4006381333931", "filename": "007", "caption": "onex"},
        {"data": "00815", "filename": "three", "caption": "007x"},
        {"data": "four", "filename": "four", "caption": "31.01.2026"},
    ], sheet="Codes")
    add("exceljs-refused.xlsx", "exceljs", problems=["Row 4, column C .Text.: the cell shows the error #N/A", "Row 5, column C .Text.: the format.*every country"])
    items = [
        {"data": "https://example.org/1", "filename": "one", "caption": "TRUE"},
        {"data": "4006381333931", "filename": "two", "caption": "Größe; 3"},
        {"data": "007", "filename": "three", "caption": "2026-01-31"},
    ]
    for name in ["sheetjs.xlsx", "sheetjs-shared.xlsx", "sheetjs.xlsm"]:
        add(name, "SheetJS", items=items, sheet="Codes")
    # SheetJS leaves digits of long numbers out.
    add("sheetjs.csv", "SheetJS", problems=["Row 3, column A .data.: .*left digits"])


def libreoffice(source, target, *filters):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", filters[0] if filters else target.suffix[1:], "--outdir", folder, source], check=True, capture_output=True)
        made = pathlib.Path(folder) / (pathlib.Path(source).stem + target.suffix)
        shutil.copy(made, target)


def libreoffice_files():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Codes"
    sheet.append(["data", "filename", "caption"])
    sheet.append(["https://example.org/map?q=52,13", "Hall 1", '="Nr. "&TEXT(7,"000")'])
    sheet.append([4006381333931, "00123", datetime.date(2026, 1, 31)])
    sheet.append([1067, "Größe; 3", "two\nlines"])
    sheet["A4"].number_format = "00000"
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "libreoffice.xlsx"
        book.save(source)
        libreoffice(source, FILES / "libreoffice.xlsx", "xlsx:Calc MS Excel 2007 XML")
        libreoffice(source, FILES / "libreoffice.csv", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false")
        libreoffice(source, FILES / "libreoffice-semicolons.csv", "csv:Text - txt - csv (StarCalc):59,34,76,1,,0,false,true,false")
        libreoffice(source, FILES / "libreoffice.ods", "ods")
        libreoffice(source, FILES / "libreoffice.xls", "xls:MS Excel 97")
    items = [
        {"data": "https://example.org/map?q=52,13", "filename": "Hall 1", "caption": "Nr. 007"},
        {"data": "4006381333931", "filename": "00123", "caption": "2026-01-31"},
        {"data": "01067", "filename": "Größe; 3", "caption": "two\nlines"},
    ]
    add("libreoffice.xlsx", "LibreOffice", items=items, sheet="Codes")
    # In CSV LibreOffice leaves the zeros of the format out.
    written = [*items[:2], {**items[2], "data": "1067"}]
    add("libreoffice.csv", "LibreOffice", items=written)
    add("libreoffice-semicolons.csv", "LibreOffice", items=written)
    add("libreoffice.ods", "LibreOffice", problems=["OpenDocument.*Save it as CSV or XLSX"])
    add("libreoffice.xls", "LibreOffice", problems=["old kind .*Save it as CSV or XLSX"])


RELS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>'
BOOK = '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'
BOOK_RELS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>'
START = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
END = "</sheetData></worksheet>"


def book_of(rows, strings="<sst/>", end=END, **parts):
    """A workbook with these rows."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        contents = {"_rels/.rels": RELS, "xl/workbook.xml": BOOK, "xl/_rels/workbook.xml.rels": BOOK_RELS, "xl/sharedStrings.xml": strings, "xl/worksheets/sheet1.xml": START + rows + end, **parts}
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def cell(reference, text):
    return f'<c r="{reference}" t="inlineStr"><is><t>{text}</t></is></c>'


def letters(position):
    """The letters of a column, from 1."""
    return letters((position - 1) // 26) + chr(65 + (position - 1) % 26) if position > 0 else ""


HEADER = f'<row r="1">{cell("A1", "data")}{cell("B1", "caption")}</row>'


def hostile_files():
    by = "by hand"
    add("phonetic.xlsx", by, book_of('<row><c t="s"><v>0</v></c></row><row><c t="s"><v>1</v></c></row>', '<sst><si><t>data</t></si><si><r><t>東</t></r><r><t xml:space="preserve">京 </t></r><rPh sb="0" eb="2"><t>とうきょう</t></rPh></si></sst>'), items=[{"data": "東京 "}], notices=["begins or ends with a space"])
    add("absent-formats.xlsx", by, book_of(HEADER + '<row r="2"><c r="A2" s="3"><v>46053</v></c></row>'), problems=["Row 2, column A .data.: the cell is damaged"])
    styles = '<styleSheet><numFmts><numFmt numFmtId="14" formatCode="mm-dd-yy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'
    relation = '<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>'
    add("country-date-defined.xlsx", by, book_of(HEADER + '<row r="2"><c r="A2" s="1"><v>46053</v></c></row>', **{"xl/styles.xml": styles, "xl/_rels/workbook.xml.rels": BOOK_RELS.replace("</Relationships>", relation)}), problems=["Row 2, column A .data.: the format.*every country"])
    add("errors.xlsx", by, book_of(HEADER + '<row r="2"><c r="A2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row><row r="3"><c r="A3" t="str"><f>X</f><v>ok</v></c><c r="B3" t="e"><v>#N/A</v></c></row>'), problems=["Row 2, column A .data.: the cell shows the error #DIV/0!", "Row 3, column B .caption.: the cell shows the error #N/A"])
    add("error-unused.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}{cell("B1", "stock")}</row><row r="2">{cell("A2", "a")}<c r="B2" t="e"><v>#N/A</v></c></row>'), items=[{"data": "a"}], notices=["Not in the codes: stock"])
    add("prefixes.xlsx", by, book_with_prefixes(), items=[{"data": "a"}])
    add("shared-formula.xlsx", by, book_of(HEADER + '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">ROW()*10</f><v>20</v></c></row><row r="3"><c r="A3"><f t="shared" si="0"/><v>30</v></c></row><row r="4"><c r="A4"><f t="shared" si="0"/></c></row>'), problems=["Row 4, column A .data.: the formula has not been computed"])
    add("absolute-parts.xlsx", by, book_of(HEADER + f'<row r="2">{cell("A2", "a")}</row>', **{"_rels/.rels": RELS.replace("xl/workbook.xml", "/xl/workbook.xml"), "xl/_rels/workbook.xml.rels": BOOK_RELS.replace("worksheets/sheet1.xml", "/XL/Worksheets/Sheet1.xml")}), items=[{"data": "a"}])
    add("strict.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}</row><row r="2"><c r="A2" t="d"><v>2026-01-31</v></c></row>', **{"_rels/.rels": RELS.replace("http://schemas.openxmlformats.org/officeDocument/2006", "http://purl.oclc.org/ooxml/officeDocument"), "xl/_rels/workbook.xml.rels": (BOOK_RELS.replace("http://schemas.openxmlformats.org/officeDocument/2006", "http://purl.oclc.org/ooxml/officeDocument"))}), items=[{"data": "46053"}])
    add("dimension-lies.xlsx", by, book_of(HEADER + f'<row r="2">{cell("A2", "a")}</row>', **{"xl/worksheets/sheet1.xml": START.replace("<sheetData>", '<dimension ref="A1:XFD1048576"/><cols><col min="1" max="16384" hidden="1"/></cols><sheetData>') + HEADER + f'<row r="2">{cell("A2", "a")}</row>' + END}), items=[{"data": "a"}])
    add("return-escapes.xlsx", by, book_of(f'<row>{cell("A1", "data")}</row><row>{cell("A2", "a_x000D_&#10;b_x005F_x000D_")}</row>'), items=[{"data": "a\r\nb_x000D_"}])
    add("wide-text.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}' + "".join(f'<c r="{letters(column)}1" t="s"><v>0</v></c>' for column in range(2, 500)) + "</row>", f"<sst><si><t>{'a' * 30_000}</t></si></sst>"), problems=["Row 1: the row holds more than a megabyte"])
    add("bomb.xlsx", by, book_of("<row r=\"1\"/>" + " " * 1_100_000), problems=["larger than any program"])
    add("escapes.xlsx", by, book_of(f'<row>{cell("A1", "data")}</row><row>{cell("A2", "a_x000A_b&#x20AC;&amp;<![CDATA[<c>]]>")}</row>'), items=[{"data": "a\nb€&<c>"}])
    add("doctype.xlsx", by, book_of(HEADER, **{"xl/workbook.xml": '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + BOOK}), problems=["document type"])
    add("entity.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}</row><row r="2">{cell("A2", "&bomb;")}</row>'), problems=["damaged"])
    add("deep.xlsx", by, book_of("<x>" * 5000 + "</x>" * 5000), problems=["damaged"])
    add("torn.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}', end=""), problems=["damaged"])
    add("rows-backwards.xlsx", by, book_of(f'<row r="3">{cell("A3", "data")}</row><row r="2">{cell("A2", "a")}</row>'), problems=["damaged"])
    add("row-beyond.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}</row><row r="9999999999">{cell("A9999999999", "a")}</row>'), problems=["damaged"])
    add("cell-elsewhere.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}</row><row r="2">{cell("A7", "a")}</row>'), problems=["damaged"])
    add("string-absent.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}</row><row r="2"><c r="A2" t="s"><v>7</v></c></row>'), problems=["Row 2, column A .data.: the cell is damaged"])
    add("huge-text.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}</row><row r="2">{cell("A2", "a" * 5_000_000)}</row>'), problems=["larger than any program|more text than"])
    add("huge-strings.xlsx", by, book_of(HEADER, "<sst>" + f"<si><t>{'a' * 90_000}</t></si>" * 1_200 + "</sst>"), problems=["more text than a job may have"])
    add("last-row.xlsx", by, book_of(f'<row r="1">{cell("A1", "data")}</row><row r="1048576">{cell("A1048576", "far")}</row>'), items=[{"data": "far"}], rows=[1_048_576])
    add("no-sheet.xlsx", by, book_of("", **{"xl/workbook.xml": BOOK.replace('<sheet name="S" sheetId="1" r:id="rId1"/>', "")}), problems=["has no sheet"])
    add("archive.xlsx", by, zip_of({"hello.txt": "hello"}), problems=["a ZIP archive, and no workbook"])
    add("document.docx.xlsx", by, zip_of({"_rels/.rels": RELS.replace("xl/workbook.xml", "word/document.xml"), "word/document.xml": "<document/>"}), problems=["a Word document.*Save it as CSV or XLSX"])
    add("numbers.numbers", by, zip_of({"Index/Document.iwa": "x"}), problems=["Numbers file.*Save it as CSV or XLSX"])
    add("binary.xlsb", by, zip_of({"_rels/.rels": RELS, "xl/workbook.bin": "x"}), problems=["binary workbook.*Save it as CSV or XLSX"])
    add("many-parts.xlsx", by, zip_of({f"{index}": "" for index in range(10_001)}, zipfile.ZIP_STORED), problems=["more parts than"])
    add("encrypted.xlsx", by, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(100), problems=["protected by a password"])
    good = book_of(HEADER + f'<row r="2">{cell("A2", "a")}</row>')
    add("two-of-a-part.xlsx", by, book_of(HEADER + f'<row r="2">{cell("A2", "a")}</row>', **{"XL/worksheets/Sheet1.xml": START + HEADER + f'<row r="2">{cell("A2", "b")}</row>' + END}), problems=["damaged"])
    add("cut.xlsx", by, good[: len(good) // 2], problems=["damaged"])
    flipped = bytearray(good)
    flipped[good.index(b"sheet1.xml") + 40] ^= 0xFF
    add("flipped.xlsx", by, bytes(flipped), problems=["damaged"])


def book_with_prefixes():
    sheet = '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>data</x:t></x:is></x:c></x:row><x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>'
    return book_of("", **{"xl/worksheets/sheet1.xml": sheet})


def zip_of(contents, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


if __name__ == "__main__":
    FILES.mkdir(exist_ok=True)
    csv_files()
    openpyxl_files()
    xlsxwriter_files()
    libreoffice_files()
    shown_files()
    meant_otherwise_files()
    node_files()
    hostile_files()
    (FOLDER / "corpus.json").write_text(json.dumps(CORPUS, ensure_ascii=False, indent=1) + "\n")
