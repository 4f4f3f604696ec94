#!/usr/bin/env bash
# Lines and branches that the tests reach, per room: builds the coverage preset, runs its tests, prints a table.
#
#   scripts/coverage.sh [--train] [ctest options…]    e.g. scripts/coverage.sh -L curate_tests
#     --train   LibTorch's part of train/ too
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
train=OFF
if [ "${1:-}" = --train ]; then
  train=ON
  shift
fi

# In an environment of its own: it takes part in no build.
tools=build/coverage-env
[ -x $tools/bin/gcovr ] || { python3 -m venv $tools && $tools/bin/pip install --quiet gcovr==8.7; }

# Counts of an earlier run or of sources that have changed would be added up.
[ ! -d build/coverage ] || find build/coverage -name '*.gcda' -delete
./scripts/setup.sh
cmake --preset coverage -DPROCSIM_TRAIN=$train >/dev/null
cmake --build --preset coverage -j "$(nproc)"
status=0
ctest --preset coverage -j "$(nproc)" -E '^(curate_page|wall)' "$@" || status=$?

# Branches that only an exception takes are the compiler's, not ours.
$tools/bin/gcovr --root . --object-directory build/coverage build/coverage -j "$(nproc)" \
  --exclude-throw-branches --exclude-unreachable-branches --gcov-ignore-parse-errors=all \
  --merge-mode-functions=separate --json-summary build/coverage/summary.json >/dev/null 2>build/coverage/gcovr.log ||
  { tail -n 5 build/coverage/gcovr.log >&2; exit 1; }
python3 scripts/coverage_table.py build/coverage/summary.json
exit $status
