#!/usr/bin/env bash
# Holds curate's exchange against the real programs: Label Studio (a running server, over its own interface), FiftyOne,
# Datumaro, cleanlab and Hugging Face's datasets. Each gets what curate export writes, decides some of it, gives it back;
# curate import must record every verdict. Not part of the tests: it installs several GB.
#
#   scripts/check_exchange.sh [CLIENT…]    label-studio fiftyone datumaro cleanlab datasets (default: all)
#
# PROCSIM_EXCHANGE_ENV  where the clients are installed, an environment each (default: build/exchange-env)
set -uo pipefail
unset PROCSIM_DATA PROCSIM_WORKSPACE
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
envs=${PROCSIM_EXCHANGE_ENV:-$root/build/exchange-env}
python=${PROCSIM_ENV:-$root/build/env}/bin/python
export CURATE=$root/build/bin/curate
clients=("$@")
[ $# -gt 0 ] || clients=(label-studio fiftyone datumaro cleanlab datasets)
[ -x "$CURATE" ] || { echo "check_exchange: no $CURATE; run scripts/build.sh first" >&2; exit 1; }

# install CLIENT PACKAGE…: an environment of its own, so that none decides what another gets.
install() {
  local client=$1
  shift
  [ -f "$envs/$client/.installed" ] && return 0
  mkdir -p "$envs"
  python3 -m venv "$envs/$client" || return 1
  "$envs/$client/bin/pip" install --quiet --disable-pip-version-check "$@" >"$envs/$client.log" 2>&1 || return 1
  touch "$envs/$client/.installed"
}

world=$(mktemp -d)
trap 'rm -rf "$world"' EXIT
"$python" "$root/tests/browser/synthetic.py" --out "$world" --samples 120 || exit 1

failed=0
for client in "${clients[@]}"; do
  case $client in
    label-studio) packages=(label-studio) ;;
    fiftyone) packages=(fiftyone) ;;
    datumaro) packages=(datumaro) ;;
    cleanlab) packages=(cleanlab pyarrow pandas) ;;
    datasets) packages=(datasets pillow) ;;
    *) echo "check_exchange: unknown client '$client'" >&2; exit 2 ;;
  esac
  if ! install "$client" "${packages[@]}"; then
    echo "$client: cannot be installed here: $(grep -v '^WARNING' "$envs/$client.log" | tail -n 1)"
    failed=1
    continue
  fi
  # The client's own interpreter, and a time limit: a server that does not come up is a finding, no reason to wait.
  if timeout 1800 "$envs/$client/bin/python" "$root/scripts/exchange_clients.py" "$client" "$world"; then
    :
  else
    echo "$client: FAILED"
    failed=1
  fi
done
exit $failed
