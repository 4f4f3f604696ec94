"""Writes the code blocks of a page that name a file (```cpp FILE) below FOLDER/page, and each header also where its
includes look for it. Blocks of the same file are joined. Files that stay the same are left alone."""
import re
import sys
from pathlib import Path

page, folder = Path(sys.argv[1]), Path(sys.argv[2])
files = {}
for name, code in re.findall(r"^```cpp (\S+)\n(.*?)^```$", page.read_text(), re.M | re.S):
    files[f"page/{name}"] = files.get(f"page/{name}", "") + code
    if name.endswith(".hpp"):
        files[f"train/methods/{name}"] = code
if not files:
    sys.exit(f"{page} has no code that names a file")
for name, code in files.items():
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != code:
        path.write_text(code)
