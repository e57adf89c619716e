"""Makes the font files of this folder again from the published packages; see README.md for how to run it.

Takes the regular weight of each family and drops hinting and naming that drawing does not use. Of the four Han families,
Simplified Chinese is kept whole and the others only with the characters that it lacks, which saves 15 MB. Files `-Han` have the
common Han characters whose form in Japan or Korea differs from that of Simplified Chinese.
"""

import pathlib
import subprocess
import sys
import unicodedata

from fontTools.ttLib import TTFont

WHOLE_HAN = "NotoSansSC"
PARTIAL_HAN = ("NotoSansJP", "NotoSansKR", "NotoSansTC")
# By family, the character set that names and texts of the country are written in.
NATIONAL_HAN = {"NotoSansJP": "cp932", "NotoSansKR": "cp949"}
# Han fonts carry megabytes of substitutions that captions don't ask for (vertical forms, historical variants).
HAN_FEATURES = "ccmp,locl,mark,mkmk,ljmo,vjmo,tjmo"


def characters(path: pathlib.Path) -> set[int]:
    return set(TTFont(path, lazy=True).getBestCmap())


def is_in(character: int, character_set: str) -> bool:
    try:
        return bool(chr(character).encode(character_set))
    except UnicodeEncodeError:
        return False


def drawn_otherwise(path: pathlib.Path, whole: pathlib.Path, character_set: str) -> set[int]:
    """The Han characters of a character set whose outlines in two fonts differ."""
    fonts = [TTFont(file, lazy=True) for file in (path, whole)]
    maps, outlines = [font.getBestCmap() for font in fonts], [font["glyf"] for font in fonts]

    def form(index: int, character: int) -> list[tuple[int, int]]:
        return list(outlines[index][maps[index][character]].getCoordinates(outlines[index])[0])

    return {
        character
        for character in maps[0].keys() & maps[1].keys()
        if unicodedata.name(chr(character), "").startswith("CJK ")
        and is_in(character, character_set)
        and form(0, character) != form(1, character)
    }


def subset(path: pathlib.Path, kept: set[int], features: str, out: pathlib.Path) -> None:
    subprocess.run(
        [
            sys.executable, "-m", "fontTools.subset", path,
            "--unicodes-file=/dev/stdin",
            "--layout-features=" + features,
            "--no-hinting", "--notdef-outline", "--name-IDs=0,1,2,5,13,14",
            "--drop-tables+=DSIG,STAT,vhea,vmtx,BASE",
            f"--output-file={out}",
        ],
        # More characters than one argument holds.
        input=",".join(f"{character:X}" for character in sorted(kept)),
        text=True,
        check=True,
    )


def main(packages: pathlib.Path, out: pathlib.Path) -> None:
    sources = {path.name.split("_")[0]: path for path in packages.glob("noto-*/400Regular/*_400Regular.ttf")}
    whole = characters(sources[WHOLE_HAN])
    out.mkdir(parents=True, exist_ok=True)
    for family, path in sorted(sources.items()):
        kept = characters(path) - (whole if family in PARTIAL_HAN else set())
        is_han = family == WHOLE_HAN or family in PARTIAL_HAN
        subset(path, kept, HAN_FEATURES if is_han else "*", out / f"{family}.ttf")
    for family, character_set in NATIONAL_HAN.items():
        kept = drawn_otherwise(sources[family], sources[WHOLE_HAN], character_set)
        subset(sources[family], kept, HAN_FEATURES, out / f"{family}-Han.ttf")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
