#!/usr/bin/env bash
# Runs clang-tidy over our C++ and fails on any finding. Sources are read several as one, as the release build compiles
# them: LibTorch's headers are parsed once for eight sources. Generated files, python/ and tests/fuzz/ are not judged:
# docs/testing.md says why.
#
#   scripts/tidy.sh [--all] [PATTERN]     only what matches PATTERN, e.g. curate/report
#     --all   the tests and benchmarks too
#
# PROCSIM_TIDY   another clang-tidy than the environment's
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tidy=${PROCSIM_TIDY:-${PROCSIM_ENV:-$root/build/env}/bin/clang-tidy}
all=no
if [ "${1:-}" = --all ]; then
  all=yes
  shift
fi
pattern=${1:-}
[ -x "$tidy" ] || { echo "tidy: run scripts/setup.sh first" >&2; exit 1; }
cd "$root"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake --preset tidy && cmake --build --preset tidy --target embedded; } >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi

# The largest first, so that no core waits at the end for one that started late.
sources() {
  python3 - "$root" "$all" "$pattern" <<'PYTHON'
import json, sys
root, everything, pattern = sys.argv[1], sys.argv[2] == "yes", sys.argv[3]
build = root + "/build/tidy/"
entries = json.load(open(build + "compile_commands.json"))
def wanted(entry):
    file = entry["file"]
    if file.startswith((build + "precompiled/", build + "embedded/", build + "commit/")):
        return False
    if not everything and file.startswith((root + "/tests/", root + "/bench/", build + "tests/", build + "bench/")):
        return False
    text = open(file).read() if "/Unity/" in file else file
    return pattern in text.replace(root + "/", "")
chosen = {entry["file"]: entry for entry in entries if wanted(entry)}
for file in sorted(chosen, key=lambda file: "/torch/" not in chosen[file]["command"]):
    print(file)
PYTHON
}
mapfile -t files < <(sources)
[ ${#files[@]} -gt 0 ] || { echo "tidy: nothing matches '$pattern'" >&2; exit 2; }

# A header is seen through a room's view: print where it really is.
status=0
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" "$tidy" -p build/tidy --quiet >"$log" 2>/dev/null ||
  status=1
sed -E "s#$root/(build/tidy/include/[^/]+/)?##" "$log"
if [ $status -ne 0 ]; then
  echo "tidy: $(grep -cE ': (warning|error): ' "$log") findings" >&2
  exit 1
fi
echo "tidy: ${#files[@]} translation units, no findings"
