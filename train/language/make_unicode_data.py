#!/usr/bin/env python3
"""Writes unicode_data.hpp, the part of Unicode that the WordPiece tokenizer needs, from Python's unicodedata:

    python3 train/guidance/make_unicode_data.py > train/language/unicode_data.hpp
"""
import sys
import unicodedata

LAST = 0x10FFFF
HANGUL = range(0xAC00, 0xD7A4)  # decomposed by arithmetic


def kind(code):
    if 0xD800 <= code <= 0xDFFF:
        return None
    category = unicodedata.category(chr(code))
    if category in ("Cc", "Cf", "Co"):
        return "kControl"
    if category[0] == "P":
        return "kPunctuation"
    if category[0] == "Z":
        return "kSpace"
    return "kAccent" if category == "Mn" else None


def ranges():
    found, first, current = [], 0, None
    for code in range(LAST + 2):
        now = kind(code) if code <= LAST else None
        if now != current:
            if current:
                found.append((first, code - 1, current))
            first, current = code, now
    return found


def bare(code):
    """The canonical decomposition without its accents."""
    return [ord(c) for c in unicodedata.normalize("NFD", chr(code)) if unicodedata.category(c) != "Mn"]


def rows(items, per_line):
    for at in range(0, len(items), per_line):
        print("    " + " ".join(items[at:at + per_line]))


def main():
    codes = [c for c in range(LAST + 1) if not 0xD800 <= c <= 0xDFFF and c not in HANGUL]
    print("#pragma once\n")
    print(f"// Unicode {unicodedata.unidata_version}. Made by make_unicode_data.py: do not edit.")
    print("// clang-format off\n")
    print("#include <array>\n#include <cstdint>\n\nnamespace procsim::unicode {\n")
    print("enum class Kind : std::uint8_t { kOther, kControl, kSpace, kPunctuation, kAccent };\n")
    print("struct KindRange {\n  std::uint32_t first, last;\n  Kind kind;\n};")
    found = [f"{{0x{a:x},0x{b:x},Kind::{k}}}," for a, b, k in ranges()]
    print(f"inline constexpr std::array<KindRange, {len(found)}> kKinds{{{{")
    rows(found, 4)
    print("}};\n")
    print("// A letter and what is left of its canonical decomposition without accents, up to three letters (0: none).")
    print("struct Decomposition {\n  std::uint32_t code, letters[3];\n};")
    parts = []
    for code in codes:
        letters = bare(code)
        if unicodedata.decomposition(chr(code)).startswith("<") or kind(code) == "kAccent" or letters == [code]:
            continue
        assert 1 <= len(letters) <= 3 or not letters, hex(code)
        parts.append("{0x%x,{%s}}," % (code, ",".join(f"0x{x:x}" for x in (letters + [0, 0, 0])[:3])))
    print(f"inline constexpr std::array<Decomposition, {len(parts)}> kDecompositions{{{{")
    rows(parts, 4)
    print("}};\n")
    print("// Capitals and their small letters; the only one with two is U+0130, in the tokenizer.")
    print("struct SmallLetter {\n  std::uint32_t capital, small;\n};")
    small = [(c, chr(c).lower()) for c in codes if chr(c).lower() != chr(c)]
    assert [c for c, text in small if len(text) > 1] == [0x130]
    pairs = [f"{{0x{c:x},0x{ord(text):x}}}," for c, text in small if len(text) == 1]
    print(f"inline constexpr std::array<SmallLetter, {len(pairs)}> kSmallLetters{{{{")
    rows(pairs, 7)
    print("}};\n\n}  // namespace procsim::unicode")


sys.exit(main())
