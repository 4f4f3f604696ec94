#!/usr/bin/env bash
# Installs what is missing and builds a preset (default: release). Quick when there is nothing to do.
#
#   scripts/build.sh [PRESET] [TARGET…]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${1:-release}
[ $# -gt 0 ] && shift

"$root/scripts/setup.sh"
if ! command -v c++ >/dev/null; then
  echo "build: no C++ compiler. Install one, on Debian or Ubuntu: apt-get install g++" >&2
  exit 1
fi

# A LibTorch source needs up to 2 GB to compile: as many jobs as cores, but no more than memory allows.
memory_jobs=$(awk '/MemAvailable/ {print int($2 / 1024 / 1024 / 2)}' /proc/meminfo)
jobs=$(nproc)
[ "$memory_jobs" -lt "$jobs" ] && jobs=$((memory_jobs > 0 ? memory_jobs : 1))

cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmake --preset "$preset" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
cmake --build --preset "$preset" -j "$jobs" ${@:+--target "$@"}
