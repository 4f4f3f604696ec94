#!/usr/bin/env bash
# Tests under the sanitizers beside those of .ci/run (`scripts/test.sh --preset asan`); docs/testing.md has the times.
#
#   scripts/sanitize.sh threads   thread sanitizer: review server, prefetcher, task threads, batch pipeline
#   scripts/sanitize.sh tsan      thread sanitizer: every test that needs no LibTorch, the programs too
#   scripts/sanitize.sh train     address and undefined behaviour: the tests of train/; LibTorch itself is not instrumented
#   scripts/sanitize.sh           all of them
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

threads() {
  ./scripts/build.sh tsan threads_tests noise_tests curate_tests
  ctest --preset tsan -j "$(nproc)" -L '^(threads|noise|curate)_tests$'
}

# The browser would time out, and asks the server nothing that the server's own tests do not.
tsan() {
  ./scripts/build.sh tsan
  ctest --preset tsan -j "$(nproc)" -E '^(curate_page|wall)'
}

train() {
  ./scripts/build.sh asan-train model_tests scoring_tests train_tests
  ctest --preset asan-train -j "$(nproc)" -L '^(model|scoring|train)_tests$'
}

case ${1:-all} in
  threads | tsan | train) "$1" ;;
  all) tsan && train ;;
  *) echo "sanitize: '$1' is none of threads, tsan, train" >&2; exit 2 ;;
esac
