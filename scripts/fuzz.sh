#!/usr/bin/env bash
# Builds the fuzzers with clang and runs each for some seconds, from seeds that are made anew and what earlier runs found.
#
#   scripts/fuzz.sh             10 s each
#   scripts/fuzz.sh 300 newick  300 s of one
#
# Needs scripts/setup.sh --fuzz. Without clang it says so and ends well, so that .ci/run goes on. The corpus is build/fuzz/corpus; an
# input that breaks a reader is left in build/fuzz/found.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
seconds=${1:-10}
only=${2:-}
compiler=${CXX:-$(command -v clang++-19 || command -v clang++ || true)}
if [ -z "$compiler" ]; then
  echo "fuzz: no clang here: nothing is fuzzed (scripts/setup.sh --fuzz installs it)" >&2
  exit 0
fi
cd "$root"
cmake --preset fuzz -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="${compiler/++/}" >/dev/null
cmake --build build/fuzz --target fuzzers
corpus=build/fuzz/corpus
mkdir -p build/fuzz/found
"${PROCSIM_ENV:-build/env}/bin/python" tests/fuzz/make_seeds.py "$corpus"
status=0
for folder in "$corpus"/*/; do
  name=$(basename "$folder")
  [ -z "$only" ] || [ "$only" = "$name" ] || continue
  log=build/fuzz/$name.log
  # No leak reports: matio keeps what it opens. Memory as the readers promise.
  if ! UBSAN_OPTIONS=print_stacktrace=1 "build/fuzz/bin/${name}_fuzz" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 -detect_leaks=0 \
    -artifact_prefix="build/fuzz/found/$name-" "$folder" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    status=1
  fi
  echo "$name: $(grep -o 'Done [0-9]* runs' "$log" || echo "stopped early, see $log"), $(find "$folder" -type f | wc -l) inputs kept"
done
exit $status
