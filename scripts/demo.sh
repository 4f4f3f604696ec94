#!/usr/bin/env bash
# Installs what is missing, builds, and runs the whole loop on the embedded data set: class tree, noise, training, report.
# The workspace is build/demo; a second run with the same programs only shows the result again.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=$root/build/bin
demo=$root/build/demo
started=$SECONDS

"$root/scripts/build.sh" release >&2

programs=(taxo noise procsim-train curate)
fingerprint() {
  local program
  for program in "${programs[@]}"; do [ -x "$bin/$program" ] && sha256sum "$bin/$program"; done | sha256sum
}
if [ -f "$demo/summary.txt" ] && [ "$(cat "$demo/programs.sha256")" = "$(fingerprint)" ]; then
  echo "demo: nothing has changed since the last run" >&2
  cat "$demo/summary.txt"
  exit 0
fi

rm -rf "$demo"
mkdir -p "$demo"
cd "$demo"

# step PROGRAM ARGUMENTS…: runs it, or says that it does not exist yet. Its standard output goes to <program>.out.
step() {
  local program=$1
  if [ ! -x "$bin/$program" ]; then
    echo "demo: $program does not exist yet; this step is left out" >&2
    return 0
  fi
  echo "\$ $*" >&2
  "$bin/$program" "${@:2}" | tee "$demo/$program.out" >&2
}

step taxo build fieldguide
step noise inject --semantic 0.2
step procsim-train
step curate report

"$root/scripts/demo_summary.sh" "$demo" "$bin" $((SECONDS - started)) | tee "$demo/summary.txt"
fingerprint >"$demo/programs.sha256"
