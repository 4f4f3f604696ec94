#!/usr/bin/env bash
# Installs what is missing, builds, and runs the whole loop on the embedded data set: class tree, noise, training, report.
# The workspace is build/demo; a second run with the same programs only shows the result again.
#
#   scripts/demo.sh              builds first
#   scripts/demo.sh --installed  takes the programs that are on the PATH (pip install procsim-….whl) and builds nothing
set -euo pipefail
unset PROCSIM_DATA PROCSIM_WORKSPACE # what is shown must not depend on the user's own data
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
demo=$root/build/demo
started=$SECONDS
installed=no
for argument in "$@"; do
  case $argument in
    --installed) installed=yes ;;
    --help | -h) sed -n '2,6p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *) echo "demo: unknown option '$argument'; try --help" >&2; exit 2 ;;
  esac
done

programs="taxo noise procsim-train curate"
if [ "$installed" = yes ]; then
  bin=$(mktemp -d) # only the four, wherever each of them is
  trap 'rm -rf "$bin"' EXIT
  for program in $programs; do
    found=$(command -v "$program") || {
      echo "demo: $program is not on the PATH. Install the wheel (docs/python.md), or leave out --installed to build." >&2
      exit 1
    }
    ln -s "$found" "$bin/$program"
  done
  python=python3
else
  bin=$root/build/bin
  "$root/scripts/build.sh" release taxo noise_program procsim-train curate_program >&2
  python=${PROCSIM_ENV:-$root/build/env}/bin/python
fi

fingerprint() {
  local program
  for program in $programs; do sha256sum <"$bin/$program"; done | sha256sum
}
if [ "$installed" = no ] && [ -f "$demo/programs.sha256" ] && [ "$(cat "$demo/programs.sha256")" = "$(fingerprint)" ]; then
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

"$python" "$root/scripts/demo_summary.py" "$demo" "$bin" $((SECONDS - started)) | tee "$demo/summary.txt"
# What pip puts on the PATH only starts the programs: it says nothing of whether they have changed.
[ "$installed" = yes ] || fingerprint >"$demo/programs.sha256"
