#!/usr/bin/env bash
# Tests procsim.ray and procsim.spark against real Ray and Spark in local mode, in an environment of their own that has the
# wheel of scripts/wheel.sh. Spark needs Java 17 (Debian: openjdk-17-jre-headless); what is missing is skipped and said.
#
#   scripts/check_clusters.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
wheel=$(echo "$root"/build/wheels/procsim-*.whl)
[ -f "$wheel" ] || { echo "check_clusters: run scripts/wheel.sh first" >&2; exit 1; }
folder=$root/build/cluster-env
if ! cmp -s "$root/scripts/requirements-clusters.txt" "$folder/installed.txt"; then
  rm -rf "$folder"
  "${PROCSIM_ENV:-$root/build/env}/bin/python" -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$root/scripts/requirements-clusters.txt"
  cp "$root/scripts/requirements-clusters.txt" "$folder/installed.txt"
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
cd "$(mktemp -d)"
PATH=$folder/bin:/usr/bin:/bin "$folder/bin/python" -m pytest -q -rs -p no:cacheprovider "$root/tests/python/clusters"
