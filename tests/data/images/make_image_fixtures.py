#!/usr/bin/env python3
"""Makes fixtures/: small JPEGs and PNGs of every kind, and expected.txt with the pixels they show.

JPEGs are written and decoded by Pillow. PNGs are packed here, bit by bit, since Pillow writes neither 16-bit colour nor
interlaced files; what they show is computed with NumPy, and compared with Pillow where Pillow decodes the kind in full.

    $PROCSIM_ENV/bin/python tests/data/images/make_image_fixtures.py
"""
import io
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

FOLDER = Path(__file__).parent / "fixtures"
expected = []


def add(name, data, shown, tolerance):
    """`shown` is a height × width × 3 array of what a reader must see, within `tolerance`."""
    (FOLDER / name).write_bytes(data)
    height, width, _ = shown.shape
    expected.append(f"{name} {width} {height} {tolerance} {shown.astype(np.uint8).tobytes().hex()}")


def picture(width, height):
    """A smooth gradient with four marked corners, so that flips and turns show."""
    y, x = np.mgrid[0:height, 0:width]
    image = np.stack([40 + 150 * x / (width - 1), 40 + 150 * y / (height - 1), 120 + 0 * x], axis=-1)
    corner = min(width, height) // 3
    image[:corner, :corner] = (230, 30, 30)
    image[:corner, -corner:] = (30, 220, 40)
    image[-corner:, :corner] = (40, 50, 225)
    image[-corner:, -corner:] = (235, 230, 60)
    return image.round().astype(np.uint8)


# --- JPEG -----------------------------------------------------------------------------------------------------------


def jpeg(image, **options):
    out = io.BytesIO()
    image.save(out, "JPEG", quality=92, **options)
    return out.getvalue()


def seen_by_pillow(data):
    return np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB"))


def exif(orientation, order):
    mark, pack = (b"II", "<") if order == "little" else (b"MM", ">")
    software = struct.pack(pack + "HHII", 0x0131, 2, 4, int.from_bytes(b"our\0", order))
    entry = struct.pack(pack + "HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = mark + struct.pack(pack + "HIH", 42, 8, 2) + entry + software + struct.pack(pack + "I", 0)
    return b"Exif\0\0" + tiff


def add_jpegs():
    colour = Image.fromarray(picture(40, 24))
    odd = Image.fromarray(picture(37, 21))
    add_jpeg = lambda name, data, tolerance=3: add(name, data, seen_by_pillow(data), tolerance)
    add_jpeg("colour_420.jpg", jpeg(colour, subsampling="4:2:0"), 6)
    add_jpeg("colour_444.jpg", jpeg(colour, subsampling="4:4:4"))
    add_jpeg("odd_size.jpg", jpeg(odd, subsampling="4:2:0"), 6)
    add_jpeg("progressive.jpg", jpeg(colour, progressive=True, subsampling="4:4:4"))
    add_jpeg("restart_markers.jpg", jpeg(colour, restart_marker_blocks=1, subsampling="4:4:4"))
    add_jpeg("grey.jpg", jpeg(colour.convert("L")))
    cmyk = np.asarray(colour.convert("CMYK")).copy()
    cmyk[:, :, 3] = np.linspace(0, 120, cmyk.shape[1]).astype(np.uint8)
    cmyk = jpeg(Image.fromarray(cmyk, "CMYK"))
    add_jpeg("cmyk.jpg", cmyk)
    # YCCK, as Photoshop writes it: the same samples, but Adobe's marker says that they are Y, Cb, Cr and K.
    at = cmyk.index(b"Adobe") + 11
    assert cmyk[at] == 0
    add_jpeg("ycck.jpg", cmyk[:at] + b"\x02" + cmyk[at + 1 :])
    for orientation in range(1, 9):
        order = "little" if orientation % 2 else "big"
        data = jpeg(odd, subsampling="4:4:4", exif=exif(orientation, order))
        add_jpeg(f"orientation_{orientation}.jpg", data)


# --- PNG ------------------------------------------------------------------------------------------------------------

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def pack_rows(samples, depth):
    """Scan lines without a filter; `samples` is height × width × channels."""
    lines = b""
    for row in samples.reshape(samples.shape[0], -1):
        if depth == 16:
            lines += b"\0" + row.astype(">u2").tobytes()
        else:
            bits = ((row[:, None] >> np.arange(depth - 1, -1, -1)) & 1).astype(np.uint8).reshape(-1)
            lines += b"\0" + np.packbits(bits).tobytes()
    return lines


def png(samples, colour_type, depth, interlaced=False, chunks=()):
    height, width = samples.shape[:2]
    samples = samples.reshape(height, width, -1).astype(np.int64)
    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, int(interlaced))
    if interlaced:
        passes = [samples[y::dy, x::dx] for x, y, dx, dy in ADAM7]
        lines = b"".join(pack_rows(part, depth) for part in passes if part.size)
    else:
        lines = pack_rows(samples, depth)
    body = chunk(b"IHDR", header) + b"".join(chunk(*c) for c in chunks) + chunk(b"IDAT", zlib.compress(lines, 9))
    return b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b"")


def to_eight_bits(samples, depth):
    return np.rint(samples * 255.0 / (2**depth - 1)).astype(np.int64)


def on_white(colour, alpha):
    return np.rint((colour * alpha[..., None] + 255.0 * (255 - alpha[..., None])) / 255).astype(np.int64)


def grey_to_rgb(grey):
    return np.repeat(grey[..., None], 3, axis=-1)


def add_png(name, data, shown, compare=True):
    if compare:
        image = Image.open(io.BytesIO(data)).convert("RGBA")
        pillow = np.asarray(Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB"))
        assert np.abs(pillow.astype(int) - shown).max() <= 1, name
    add(name, data, shown, 0)


def add_pngs():
    random = np.random.default_rng(7)
    rgb = picture(19, 13).astype(np.int64)
    height, width, _ = rgb.shape
    alpha = np.linspace(0, 255, width).round().astype(np.int64)[None, :].repeat(height, axis=0)
    for interlaced in (False, True):
        tail = "_interlaced.png" if interlaced else ".png"
        add_png("rgb8" + tail, png(rgb, RGB, 8, interlaced), rgb)
        rgb16 = np.clip(rgb * 257 + random.integers(-128, 128, rgb.shape), 0, 65535)
        add_png("rgb16" + tail, png(rgb16, RGB, 16, interlaced), to_eight_bits(rgb16, 16))
        rgba = np.dstack([rgb, alpha])
        add_png("rgba8" + tail, png(rgba, RGBA, 8, interlaced), on_white(rgb, alpha))
        rgba16 = np.dstack([rgb16, alpha * 257])
        shown = on_white(to_eight_bits(rgb16, 16), alpha)
        add_png("rgba16" + tail, png(rgba16, RGBA, 16, interlaced), shown)
        for depth in (1, 2, 4, 8, 16):
            grey = random.integers(0, 2**depth, (height, width))
            shown = grey_to_rgb(to_eight_bits(grey, depth))
            # Pillow keeps 16-bit grey as it is and cuts it off when converting.
            add_png(f"grey{depth}" + tail, png(grey, GREY, depth, interlaced), shown, compare=depth < 16)
        grey = rgb[:, :, 0]
        grey_alpha = np.dstack([grey, alpha])
        add_png("grey_alpha8" + tail, png(grey_alpha, GREY_ALPHA, 8, interlaced), on_white(grey_to_rgb(grey), alpha))
        for depth in (1, 2, 4, 8):
            size = 2**depth
            palette = random.integers(0, 256, (size, 3))
            index = random.integers(0, size, (height, width))
            opacity = random.integers(0, 256, size // 2 + 1)  # shorter than the palette: the rest is opaque
            full_opacity = np.concatenate([opacity, np.full(size - len(opacity), 255)])
            plte = (b"PLTE", palette.astype(np.uint8).tobytes())
            trns = (b"tRNS", opacity.astype(np.uint8).tobytes())
            add_png(f"palette{depth}" + tail, png(index, PALETTE, depth, interlaced, [plte]), palette[index])
            shown = on_white(palette[index], full_opacity[index])
            add_png(f"palette{depth}_alpha" + tail, png(index, PALETTE, depth, interlaced, [plte, trns]), shown)
    clear = rgb[0, 0]
    shown = np.where((rgb == clear).all(axis=-1, keepdims=True), 255, rgb)
    add_png("rgb8_trns.png", png(rgb, RGB, 8, chunks=[(b"tRNS", struct.pack(">HHH", *clear))]), shown)
    grey = random.integers(0, 4, (height, width))
    shown = grey_to_rgb(np.where(grey == 2, 255, grey * 85))
    add_png("grey2_trns.png", png(grey, GREY, 2, chunks=[(b"tRNS", struct.pack(">H", 2))]), shown, compare=False)
    turned = np.rot90(rgb, k=-1)  # orientation 6: turn by 90 degrees to the right
    add_png("exif_6.png", png(rgb, RGB, 8, chunks=[(b"eXIf", exif(6, "big")[6:])]), turned, compare=False)


def add_resizes():
    """resize.txt and resize_bicubic.txt: what Pillow's filters make of colour_444.jpg's picture."""
    image = Image.fromarray(picture(40, 24))
    for name, how in (("resize.txt", Image.Resampling.BILINEAR), ("resize_bicubic.txt", Image.Resampling.BICUBIC)):
        lines = ["source 40 24 " + picture(40, 24).tobytes().hex()]
        for width, height in [(20, 12), (13, 7), (40, 5), (9, 24), (1, 1), (61, 50), (3, 40)]:
            pixels = np.asarray(image.resize((width, height), how))
            lines.append(f"resized {width} {height} {pixels.tobytes().hex()}")
        (FOLDER / name).write_text("\n".join(lines) + "\n")


FOLDER.mkdir(exist_ok=True)
add_jpegs()
add_pngs()
add_resizes()
(FOLDER / "expected.txt").write_text("\n".join(expected) + "\n")
