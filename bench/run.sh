#!/usr/bin/env bash
# The ratios of docs/benchmarks.md: each row's work by ours and by what people would use instead, in turns, on this machine. Needs the
# release build (scripts/build.sh release), EfficientNet-Lite0 (scripts/setup.sh --models) and CUB-200-2011 below PROCSIM_DATA; the
# peers' environment, build/bench-env, is made by the rows themselves. Nothing else should run meanwhile.
#
#   bench/run.sh                  every row but the dear one (inject-pandas)
#   bench/run.sh ROW…             these rows
#   bench/run.sh --all            every row
#   bench/run.sh --quick [ROW…]   small sizes, to see that it runs: says nothing of the ratios
#
# Each row adds a line of JSON to build/bench/rows.jsonl (--quick: rows-quick.jsonl). The table of the newest line of every row is printed last.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

declare -A commands=(
  [step]="training_step.py step"
  [loss]="training_step.py loss"
  [decode-cub]="decoding.py cub"
  [decode-large]="decoding.py large"
  [evaluation]="retrieval.py"
  [features]="features.py"
  [scores]="scoring_against_cleanlab.py --seeds 1 --noise uniform 0.2 --noise uniform 0.5 --noise semantic 0.2"
  [inject-arrow]="injecting.py arrow"
  [inject-pandas]="injecting.py pandas"
  [tree]="taxonomy_build_nltk.py"
  [start]="start_time.py"
  [processes]="two_processes.py"
)
every="step loss decode-cub decode-large evaluation features scores inject-arrow tree start processes"
quick=()
rows=()
lines=$root/build/bench/rows.jsonl
for word in "$@"; do
  case $word in
    --quick) quick=(--quick) lines=$root/build/bench/rows-quick.jsonl ;;
    --all) every="$every inject-pandas" ;;
    --help | -h) sed -n '2,12p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *)
      [ -n "${commands[$word]:-}" ] || { echo "run: no row '$word'; there are: $every inject-pandas" >&2; exit 2; }
      rows+=("$word")
      ;;
  esac
done
[ ${#rows[@]} -gt 0 ] || read -ra rows <<<"$every"
for program in taxo noise procsim-train training_benchmark retrieval_benchmark; do
  [ -x "build/bin/$program" ] || { echo "run: build/bin/$program is missing: run scripts/build.sh release" >&2; exit 1; }
done

failed=()
for row in "${rows[@]}"; do
  read -ra command <<<"${commands[$row]}"
  started=$SECONDS
  python3 "bench/${command[0]}" "${command[@]:1}" "${quick[@]}" --json "$lines" || failed+=("$row")
  echo "run: $row took $((SECONDS - started)) s" >&2
done
[ ! -f "$lines" ] || python3 bench/bench_row.py "$lines"
[ ${#failed[@]} -eq 0 ] || { echo "run: failed: ${failed[*]}" >&2; exit 1; }
