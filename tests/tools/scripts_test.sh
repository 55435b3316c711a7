#!/usr/bin/env bash
# The scripts parse, a label's tests build only what they need, and where everything is set up a second set-up is quick,
# silent and offline: scripts_test.sh build/release/warplens.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/versions.env

for script in tools/* .ci/run; do
  [[ -f $script && $script != *.txt ]] || continue
  case "$(head -n 1 "$script")" in
    *python3) python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$script" ;;
    *) bash -n "$script" ;;
  esac
done

needs() {  # TARGET [ctest arguments…]
  local target
  target=$(source tools/lib.sh && needed_target "$preset" "${@:2}")
  [[ $target == "$1" ]] || { echo "ctest ${*:2} needs $1 and not $target"; exit 1; }
}
preset=$(basename "$(dirname "$1")")
needs all
needs all -R Occupancy
needs tests_core -L core -R Occupancy
needs all -L core -L app
needs all -L 'core|app'
needs all -L no_such_label

python3 tests/data/truth/counters_page.py . --check

cache="${XDG_CACHE_HOME:-$HOME/.cache}/warplens"
if [[ ! -e "$cache/imgui-$imgui_bundle/current" ]]; then
  echo "set-up is not done on this machine, so its second run is not tried"
  exit 0
fi
started=$(date +%s%N)
said=$(PIP_NO_INDEX=1 timeout 60 tools/setup 2>&1)
milliseconds=$(( ($(date +%s%N) - started) / 1000000 ))
echo "second set-up: $milliseconds ms"
[[ -z "$said" ]] || { echo "it said: $said"; exit 1; }
