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

# What this machine lacks is said before the tests, and ctest's own list of what it skipped ends the output.
will_skip() { echo "test: $1 will skip: $2" >&2; }
if ! PYTHONPATH=tests/browser python3 -c 'import sys, webdriver; sys.exit(webdriver.find_programs() is None)'; then
  will_skip curate_page "no Chromium (or Chrome) with chromedriver"
fi
if [ ! -d "${PROCSIM_SHARED:-../shared}" ]; then
  will_skip "tests on the published data sets" "no ${PROCSIM_SHARED:-../shared}"
fi
if [ "$(id -u)" -eq 0 ]; then
  disk=$(mktemp -d)
  if mount -t tmpfs tmpfs "$disk" 2>/dev/null; then
    umount "$disk"
  else
    will_skip ReadOnlyFolder "root writes everywhere, and may not mount a read-only disk here"
  fi
  rmdir "$disk"
fi
exec ctest --preset "$preset" -j "$(nproc)" "$@"
