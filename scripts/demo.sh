#!/usr/bin/env bash
# Installs what is missing, builds, and runs the whole loop on the embedded data set: class tree, noise, training, report.
# The workspace is build/demo; a second run with the same programs only shows the result again.
set -euo pipefail
unset PROCSIM_DATA PROCSIM_WORKSPACE # what is shown must not depend on the user's own data
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=$root/build/bin
demo=$root/build/demo
started=$SECONDS

"$root/scripts/build.sh" release taxo noise_program procsim-train curate_program >&2

fingerprint() {
  local program
  for program in taxo noise procsim-train curate; do sha256sum <"$bin/$program"; done | sha256sum
}
if [ -f "$demo/summary.txt" ] && [ "$(cat "$demo/programs.sha256")" = "$(fingerprint)" ]; then
  echo "demo: nothing has changed since the last run" >&2
  cat "$demo/summary.txt"
  exit 0
fi

rm -rf "$demo"
mkdir -p "$demo"
cd "$demo"

# step PROGRAM ARGUMENTS…: runs it. Its standard output goes to <program>.out.
step() {
  echo "\$ $*" >&2
  "$bin/$1" "${@:2}" | tee "$demo/$1.out" >&2
}

step taxo build fieldguide
step noise inject --semantic 0.2
step procsim-train
step curate report

"${PROCSIM_ENV:-$root/build/env}/bin/python" "$root/scripts/demo_summary.py" "$demo" "$bin" $((SECONDS - started)) | tee "$demo/summary.txt"
fingerprint >"$demo/programs.sha256"
