#!/usr/bin/env bash
# Makes a wheel that installs on other machines: the Python package, the four programs, WordNet's dictionary and the
# distribution's libraries that they need. torch and pyarrow stay outside: pip installs the versions it was linked against.
#
#   scripts/wheel.sh          build/wheels/procsim-….whl
#   scripts/wheel.sh --test   and run tests/python in a fresh environment that has only the wheel and the tests' tools
#
# PROCSIM_ENV  the environment that brings torch and pyarrow (default: build/env, made by scripts/setup.sh)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export PROCSIM_ENV=${PROCSIM_ENV:-$root/build/env}
test=no
for argument in "$@"; do
  case $argument in
    --test) test=yes ;;
    --help | -h) sed -n '2,8p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *) echo "wheel: unknown option '$argument'; try --help" >&2; exit 2 ;;
  esac
done
[ -x "$PROCSIM_ENV/bin/python" ] || { echo "wheel: run scripts/setup.sh first" >&2; exit 1; }

# environment FOLDER REQUIREMENTS [pip's options]: made once, again when the requirements change.
environment() {
  local folder=$1 requirements=$2
  shift 2
  if ! cmp -s "$requirements" "$folder/installed.txt"; then
    rm -rf "$folder"
    "$PROCSIM_ENV/bin/python" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" -r "$requirements"
    cp "$requirements" "$folder/installed.txt"
  fi
}

cd "$root"
tools=$root/build/wheel-env
environment "$tools" scripts/requirements-wheel.txt
made=$root/build/wheels/made
rm -rf "$made"
# The private environment is used as it is, without the copies of torch and pyarrow that pip would fetch for the build.
PATH=$tools/bin:$PATH "$tools/bin/pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$made" .
rm -f build/wheels/procsim-*.whl
PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair --wheel-dir build/wheels --exclude 'libtorch*' --exclude 'libc10*' \
  --exclude 'libarrow*' --exclude 'libparquet*' "$made"/procsim-*.whl >/dev/null
wheel=$(echo build/wheels/procsim-*.whl)
echo "wheel: $wheel, $(du -h "$wheel" | cut -f1)"
[ "$test" = yes ] || exit 0

# Fresh but for torch, pyarrow and the tools of the tests, which are the same for every wheel.
fresh=$root/build/wheel-test-env
environment "$fresh" scripts/requirements-wheel-test.txt
"$fresh/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
"$fresh/bin/pip" check >/dev/null || "$fresh/bin/pip" check
cd "$(mktemp -d)"
PATH=$fresh/bin:/usr/bin:/bin "$fresh/bin/python" -m pytest -q -p no:cacheprovider "$root/tests/python" --ignore="$root/tests/python/clusters"
