#!/usr/bin/env python3
"""Makes docs/images/fieldguide.png: two pictures of every species, a family a row.

    taxo build fieldguide --root DATA
    $PROCSIM_ENV/bin/python docs/images/make_fieldguide_plate.py DATA/fieldguide
"""
import json
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

SIDE = 66
CAPTION = 15
GAP = 5
MARGIN = 92
SHOWN = {"train": "#2e6b3e", "test": "#7a4a1e"}


def main(data):
    classes = json.loads((data / "fieldguide.json").read_text())["classes"]
    families = list(dict.fromkeys(c["family"] for c in classes))
    row_height = SIDE + CAPTION + GAP
    plate = Image.new("RGB", (MARGIN + 6 * (2 * SIDE + GAP), len(families) * row_height), "white")
    draw = ImageDraw.Draw(plate)
    small = ImageFont.load_default(10)
    large = ImageFont.load_default(12)
    for row, family in enumerate(families):
        y = row * row_height
        draw.multiline_text((6, y + SIDE // 2), family.replace("World ", "World\n"), "black", large, anchor="lm")
        for column, bird in enumerate(c for c in classes if c["family"] == family):
            x = MARGIN + column * (2 * SIDE + GAP)
            folder = data / bird["split"] / bird["name"].replace(" ", "_")
            for i, number in enumerate((1, 7)):
                picture = Image.open(folder / f"{number:03}.jpg").resize((SIDE, SIDE), Image.Resampling.LANCZOS)
                plate.paste(picture, (x + i * SIDE, y))
            draw.text((x + SIDE, y + SIDE + 11), bird["name"], SHOWN[bird["split"]], small, anchor="ms")
    # A palette halves the file.
    plate = plate.quantize(256, Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.FLOYDSTEINBERG)
    plate.save(Path(__file__).with_name("fieldguide.png"), optimize=True)


main(Path(sys.argv[1]))
