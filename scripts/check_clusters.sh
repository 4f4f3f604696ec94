#!/usr/bin/env bash
# Tests procsim.ray and procsim.spark against real Ray and Spark in local mode, in an environment of their own that has the
# wheel of scripts/wheel.sh. Spark needs Java 17 or 21: scripts/setup.sh --java installs it where there is none.
#
#   scripts/check_clusters.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
wheel=$(echo "$root"/build/wheels/procsim-*.whl)
[ -f "$wheel" ] || { echo "check_clusters: run scripts/wheel.sh first" >&2; exit 1; }
command -v java >/dev/null || { echo "check_clusters: Spark needs Java: run scripts/setup.sh --java" >&2; exit 1; }
folder=$root/build/cluster-env
if ! cmp -s "$root/scripts/requirements-clusters.txt" "$folder/installed.txt"; then
  rm -rf "$folder"
  "${PROCSIM_ENV:-$root/build/env}/bin/python" -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$root/scripts/requirements-clusters.txt"
  cp "$root/scripts/requirements-clusters.txt" "$folder/installed.txt"
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
cd "$(mktemp -d)"
PATH=$folder/bin:/usr/bin:/bin "$folder/bin/python" -m pytest -q -p no:cacheprovider "$root/tests/python/clusters"
