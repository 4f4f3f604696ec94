#!/usr/bin/env bash
# Kills the programs before and after every call that changes a file, fills the disk at every one, and kills them at 200
# random moments of each step; then finishes and compares (tests/faults/faults.py). Then 1,000 damaged files of each
# format (tests/faults/corruption.py), and the review server under attack and load (tests/faults/server_load.py). --quick
# takes a part of each.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/build.sh" release
faults=(--random 200)
corruption=(--count 1000)
load=(--requests 100000)
[ "${1:-}" = --quick ] && faults=(--every 7 --random 10) && corruption=(--count 100) && load=()
python3 "$root/tests/faults/faults.py" --bin "$root/build/bin" --hook "$root/build/bin/fault_hook.so" "${faults[@]}"
python3 "$root/tests/faults/corruption.py" --bin "$root/build/bin" "${corruption[@]}"
python3 "$root/tests/faults/server_load.py" --bin "$root/build/bin" "${load[@]}"
