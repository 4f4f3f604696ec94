#!/usr/bin/env bash
# Formats our C++ sources; with --check, says which are not formatted and fails.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
formatter=${PROCSIM_ENV:-$root/build/env}/bin/clang-format
[ -x "$formatter" ] || { echo "format: run scripts/setup.sh first" >&2; exit 1; }
cd "$root"
mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run --Werror)
git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.hpp' | xargs -0 "$formatter" "${mode[@]}"
