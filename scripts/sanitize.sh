#!/usr/bin/env bash
# What the sanitizers say and is too slow for every change; docs/testing.md has the times. .ci/run covers the rest.
#
#   scripts/sanitize.sh asan    address and undefined behaviour: the tests of train/, LibTorch included
#   scripts/sanitize.sh tsan    threads: every test without LibTorch, the programs too
#   scripts/sanitize.sh         both
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

asan() {
  ./scripts/build.sh asan-train train_tests scoring_tests threads_tests
  ctest --preset asan-train -j "$(nproc)" -L '^(train|scoring|threads)_tests$'
}

tsan() {
  ./scripts/build.sh tsan
  # The browser has a profile of its own for time, and tests nothing in threads that the server's own tests do not.
  ctest --preset tsan -j "$(nproc)" -E curate_page
}

case ${1:-all} in
  asan) asan ;;
  tsan) tsan ;;
  all) asan && tsan ;;
  *) echo "sanitize: '$1' is neither asan nor tsan" >&2; exit 2 ;;
esac
