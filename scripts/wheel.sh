#!/usr/bin/env bash
# Makes a wheel that installs on other machines: the Python package, the four programs, WordNet's dictionary and the
# distribution's libraries that they need. torch and pyarrow stay outside: pip installs the versions it was linked against.
#
#   scripts/wheel.sh          build/wheels/procsim-….whl
#   scripts/wheel.sh --test   and run tests/python in a fresh environment that has only the wheel and the tests' tools
#   scripts/wheel.sh --test --python python3.13   … of another Python; the wheel that is there is taken as it is
#
# PROCSIM_ENV  the environment that brings torch and pyarrow (default: build/env, made by scripts/setup.sh)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export PROCSIM_ENV=${PROCSIM_ENV:-$root/build/env}
test=no
other=
while [ $# -gt 0 ]; do
  case $1 in
    --test) test=yes ;;
    --python) other=${2:?wheel: --python needs an interpreter}; shift ;;
    --help | -h) sed -n '2,9p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *) echo "wheel: unknown option '$1'; try --help" >&2; exit 2 ;;
  esac
  shift
done
[ -x "$PROCSIM_ENV/bin/python" ] || { echo "wheel: run scripts/setup.sh first" >&2; exit 1; }

# environment FOLDER REQUIREMENTS [PYTHON]: made once, again when the requirements change.
environment() {
  local folder=$1 requirements=$2 python=${3:-$PROCSIM_ENV/bin/python}
  if ! cmp -s "$requirements" "$folder/installed.txt"; then
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
    cp "$requirements" "$folder/installed.txt"
  fi
}

make_wheel() {
  local tools=$root/build/wheel-env made=$root/build/wheels/made
  environment "$tools" scripts/requirements-wheel.txt
  rm -rf "$made"
  # The private environment is used as it is, without the copies of torch and pyarrow that pip would fetch for the build.
  PATH=$tools/bin:$PATH "$tools/bin/pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$made" .
  rm -f build/wheels/procsim-*.whl
  PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair --wheel-dir build/wheels --exclude 'libtorch*' --exclude 'libc10*' \
    --exclude 'libarrow*' --exclude 'libparquet*' "$made"/procsim-*.whl >/dev/null
}

cd "$root"
[ -n "$other" ] || make_wheel
wheel=$(echo build/wheels/procsim-*.whl)
[ -f "$wheel" ] || { echo "wheel: there is none yet; run scripts/wheel.sh first" >&2; exit 1; }
echo "wheel: $wheel, $(du -h "$wheel" | cut -f1)"
[ "$test" = yes ] || exit 0

# Fresh but for torch, pyarrow and the tools of the tests, which are the same for every wheel.
fresh=$root/build/wheel-test-env${other:+-$(basename "$other")}
environment "$fresh" scripts/requirements-wheel-test.txt "$other"
"$fresh/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
"$fresh/bin/pip" check >/dev/null || "$fresh/bin/pip" check
cd "$(mktemp -d)"
PATH=$fresh/bin:/usr/bin:/bin "$fresh/bin/python" -m pytest -q -p no:cacheprovider "$root/tests/python" --ignore="$root/tests/python/clusters" --ignore="$root/tests/python/fiftyone_app"
