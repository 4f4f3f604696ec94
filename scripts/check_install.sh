#!/usr/bin/env bash
# Installs the release build into a temporary folder and checks that the programs run from anywhere: from /, with an
# empty environment, with no library taken from the build tree.
#
#   scripts/check_install.sh [BUILD_FOLDER]     default: build/release, which must be built
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:-$root/build/release}
programs=(taxo noise procsim-train curate)
# What the build's own libraries resolve to: build/env may be a link to an environment elsewhere.
inside=("$root/build/" "$(realpath "$root/build")/" "$(realpath "${PROCSIM_ENV:-$root/build/env}")/")

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
fail() {
  echo "check_install: $*" >&2
  exit 1
}

cmake --install "$build" --prefix "$prefix" >"$prefix/log" || { tail -n 5 "$prefix/log" >&2; fail "the install failed"; }
cd /
for name in "${programs[@]}"; do
  program=$prefix/bin/$name
  [ -x "$program" ] || fail "$name was not installed"
  version=$(env -i "$program" --version) || fail "$name does not run from /"
  [[ $version == "$name "* ]] || fail "$name --version says '$version'"
  libraries=$(env -i /usr/bin/ldd "$program")
  case $libraries in *'not found'*) fail "$name lacks $(grep 'not found' <<<"$libraries" | head -n 1)" ;; esac
  for folder in "${inside[@]}"; do
    if grep -F "$folder" <<<"$libraries" >&2; then fail "$name takes a library from $folder"; fi
    if readelf -d "$program" | grep -E 'R(UN)?PATH' | grep -F "$folder" >&2; then fail "$name looks for libraries in $folder"; fi
  done
done
echo "check_install: ${#programs[@]} programs run from $prefix, $(du -sh "$prefix" | cut -f1)"
