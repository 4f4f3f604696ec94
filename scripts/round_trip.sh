#!/usr/bin/env bash
# The whole loop on the embedded data set: noise, training, report, review from the truth through the HTTP interface, apply,
# training again. Prints the noise left, the precision of the review and Recall@1 before and after.
#
#   scripts/round_trip.sh [FOLDER]     a new workspace there (default: build/round-trip)
#
# CARDS   how many cards are reviewed (default: what the report says finds 95 %)
set -euo pipefail
unset PROCSIM_DATA PROCSIM_WORKSPACE # the workspace is the folder's own
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=$root/build/bin
python=${PROCSIM_ENV:-$root/build/env}/bin/python
folder=${1:-$root/build/round-trip}
if [ -e "$folder/.procsim" ]; then
  echo "round_trip: $folder already holds a workspace. Remove it, or name another folder." >&2
  exit 1
fi
mkdir -p "$folder"
cd "$folder"

"$bin/taxo" build fieldguide >taxo.out
"$bin/noise" inject --semantic 0.2 >noise.out
"$bin/procsim-train" >train-1.out
"$bin/curate" report --json >report.json
cards=${CARDS:-$("$python" -c 'import json; print(next(e["review"] for e in json.load(open("report.json"))["effort"] if e["share"] == 0.95))')}

# What the newest run was trained on, and its last Recall@1.
query() { "$python" -c 'import sqlite3, sys; print(sqlite3.connect(".procsim/workspace.db").execute(sys.argv[1]).fetchone()[0])' "$1"; }
labels=$(query "select path from label_sets where id = (select label_set from runs order by id desc limit 1)")
[ -e "$labels" ] || labels=.procsim/$labels
recall="select value from metrics where name = 'recall@1' and run = (select max(id) from runs) order by epoch desc limit 1"
before=$(query "$recall")

mkfifo address
"$bin/curate" serve --quiet >address &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -f address' EXIT
"$python" "$root/scripts/review_from_truth.py" --labels "$labels" --cards "$cards" <address >review.json
kill "$server"
wait "$server" 2>/dev/null || true

"$bin/curate" apply --json >apply.json
"$bin/curate" diff --json >diff.json
"$bin/procsim-train" >train-2.out
after=$(query "$recall")

"$python" - "$before" "$after" <<'PYTHON'
import json, sys
review, truth = json.load(open("review.json")), json.load(open("diff.json"))["truth"]
print(f"reviewed {review['reviewed']} cards: {review['relabel']} relabelled, {review['keep']} kept")
print(f"noise {100 * truth['noise_before']:.2f} % before, {100 * truth['noise_after']:.2f} % after")
print(f"precision of the review (share of cards that were wrong) {100 * review['relabel'] / max(1, review['reviewed']):.1f} %")
print(f"Recall@1 {100 * float(sys.argv[1]):.2f} before, {100 * float(sys.argv[2]):.2f} after")
PYTHON
