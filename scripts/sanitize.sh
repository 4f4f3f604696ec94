#!/usr/bin/env bash
# Tests under the sanitizers; docs/testing.md has the times. .ci/run runs the first.
#
#   scripts/sanitize.sh rooms     address and undefined behaviour: the rooms of data and curate
#   scripts/sanitize.sh threads   thread sanitizer: review server, prefetcher, task threads, batch pipeline
#   scripts/sanitize.sh asan      address and undefined behaviour: every test that needs no LibTorch, the programs too
#   scripts/sanitize.sh tsan      thread sanitizer: the same
#   scripts/sanitize.sh train     address and undefined behaviour: the tests of train/; LibTorch itself is not instrumented
#   scripts/sanitize.sh           all of them
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

rooms() {
  local tests=(data_tests noise_model_tests curate_tests)
  ./scripts/build.sh asan "${tests[@]}"
  ctest --preset asan -j "$(nproc)" -L "^($(IFS='|'; echo "${tests[*]}"))\$"
}

threads() {
  ./scripts/build.sh tsan threads_tests noise_tests curate_tests
  ctest --preset tsan -j "$(nproc)" -L '^(threads|noise|curate)_tests$'
}

# The browser would time out, and asks the server nothing that the server's own tests do not.
asan() {
  ./scripts/test.sh --preset asan -E '^(curate_page|wall)'
}

tsan() {
  ./scripts/build.sh tsan
  ctest --preset tsan -j "$(nproc)" -E '^(curate_page|wall)'
}

train() {
  ./scripts/build.sh asan-train model_tests scoring_tests train_tests
  ctest --preset asan-train -j "$(nproc)" -L '^(model|scoring|train)_tests$'
}

case ${1:-all} in
  rooms | threads | asan | tsan | train) "$1" ;;
  all) asan && tsan && train ;;
  *) echo "sanitize: '$1' is none of rooms, threads, asan, tsan, train" >&2; exit 2 ;;
esac
