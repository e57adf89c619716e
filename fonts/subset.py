"""Makes the font files of this folder again from the published packages; see README.md for how to run it.

Takes the regular weight of each family and drops hinting and naming that drawing does not use. Of the four Han families,
Simplified Chinese is kept whole and the others only with the characters that it lacks, which saves 15 MB.
"""

import pathlib
import subprocess
import sys

from fontTools.ttLib import TTFont

WHOLE_HAN = "NotoSansSC"
PARTIAL_HAN = ("NotoSansJP", "NotoSansKR", "NotoSansTC")
# Han fonts carry megabytes of substitutions that captions don't ask for (vertical forms, historical variants).
HAN_FEATURES = "ccmp,locl,mark,mkmk,ljmo,vjmo,tjmo"


def characters(path: pathlib.Path) -> set[int]:
    return set(TTFont(path, lazy=True).getBestCmap())


def main(packages: pathlib.Path, out: pathlib.Path) -> None:
    sources = {path.name.split("_")[0]: path for path in packages.glob("noto-*/400Regular/*_400Regular.ttf")}
    whole = characters(sources[WHOLE_HAN])
    out.mkdir(parents=True, exist_ok=True)
    for family, path in sorted(sources.items()):
        kept = characters(path) - (whole if family in PARTIAL_HAN else set())
        is_han = family == WHOLE_HAN or family in PARTIAL_HAN
        subprocess.run(
            [
                sys.executable, "-m", "fontTools.subset", path,
                "--unicodes=" + ",".join(f"{character:X}" for character in sorted(kept)),
                "--layout-features=" + (HAN_FEATURES if is_han else "*"),
                "--no-hinting", "--notdef-outline", "--name-IDs=0,1,2,5,13,14",
                "--drop-tables+=DSIG,STAT,vhea,vmtx,BASE",
                f"--output-file={out / family}.ttf",
            ],
            check=True,
        )


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
