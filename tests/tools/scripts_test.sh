#!/usr/bin/env bash
# The scripts parse, and where everything is set up a second set-up is quick, silent and offline.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/versions.env

for script in tools/{setup,run,test,check,bench,fuzz,tidy,format,lib.sh} .ci/run; do
  bash -n "$script"
done

python3 tests/truth/counters_page.py . --check

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
