#!/usr/bin/env bash
# Installs what is missing, pretrained models too, builds, and runs every test.
#
#   scripts/test.sh [--preset NAME] [ctest options…]     e.g. scripts/test.sh -R LabelSet
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=release
if [ "${1:-}" = --preset ]; then
  preset=${2:?--preset needs a name}
  shift 2
fi
"$root/scripts/build.sh" "$preset"
# Tests that compare with the originals of pretrained models skip without them.
if ! output=$("$root/scripts/setup.sh" --models 2>&1); then
  echo "test: the tests that need pretrained models will skip (${output##*$'\n'})" >&2
fi
cd "$root"
exec ctest --preset "$preset" -j "$(nproc)" "$@"
