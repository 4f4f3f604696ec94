#!/usr/bin/env bash
# The last lines of scripts/demo.sh: demo_summary.sh WORKSPACE BIN SECONDS
set -euo pipefail
demo=$1 bin=$2 seconds=$3
echo
echo "workspace:       $demo"
if [ -f "$demo/noise.out" ]; then
  echo "noise injected:  $(tail -n 1 "$demo/noise.out" | sed 's/^wrote [^:]*: //')"
  labels=$(ls "$demo"/.procsim/labels/*semantic*.parquet)
  "$bin/noise" confusion "$labels" --format html -o "$demo/confusion.html" --quiet >/dev/null
  "$bin/taxo" export --workspace "$demo" --format html -o "$demo/tree.html" --quiet >/dev/null
  echo "class tree:      $demo/tree.html"
  echo "confusion:       $demo/confusion.html"
fi
echo "time taken:      $seconds s"
