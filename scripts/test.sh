#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
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
cd "$root"
exec ctest --preset "$preset" -j "$(nproc)" "$@"
