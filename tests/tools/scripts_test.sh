#!/usr/bin/env bash
# The scripts parse, a label's tests build only what they need, tools/run builds quietly, set-up waits for apt's lock, and where
# everything is set up a second set-up is quick, silent and offline: scripts_test.sh build/release/warplens.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/versions.env

for script in tools/* .ci/run; do
  [[ -f $script && $script != *.txt && $script != *.md ]] || continue
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

# A build of two good steps, and of a third that fails; nothing of the good ones is shown.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/build/small"
cat >"$scratch/build/small/build.ninja" <<'END'
rule step
  command = sleep 0.5 && echo chatter && touch $out
rule broken
  command = echo first line && echo second line && false
build a: step
build b: step a
build c: broken b
build good: phony b
END
build_small() (source tools/lib.sh && cd "$scratch" && build_quietly small "$1")
said=$(build_small good 2>&1)
[[ "$said" =~ ^building\ [12]\ of\ 2$ ]] || { echo "a good build said: $said"; exit 1; }
said=$(build_small good 2>&1)
[[ -z "$said" ]] || { echo "with nothing to build it said: $said"; exit 1; }
rm "$scratch/build/small/b"
! said=$(build_small c 2>&1) || { echo "a build that fails counts as good"; exit 1; }
[[ "$said" == *"FAILED: "*$'\nfirst line\nsecond line\n'* && "$said" != *chatter* ]] || { echo "a bad build said: $said"; exit 1; }
# A reader that goes away ends no build half-way.
rm "$scratch/build/small/"[ab]
build_small good 2>&1 >/dev/null | true
[[ -f "$scratch/build/small/b" ]] || { echo "a build ended as its output was closed"; exit 1; }

# What holds a lock of apt's is waited for, and that is said.
eval "$(sed -n '/^say()/p; /^apt_locks=/,/^install_packages()/{/^install_packages()/!p}' tools/setup)"
apt_locks=("$scratch/no_such_lock" "$scratch/lock")
touch "$scratch/lock"
said=$(wait_for_apt)
[[ -z "$said" ]] || { echo "without a lock set-up says: $said"; exit 1; }
python3 -c 'import fcntl, sys, time
file = open(sys.argv[1], "w")
fcntl.lockf(file, fcntl.LOCK_EX)
open(sys.argv[1] + ".held", "w")
time.sleep(2)' "$scratch/lock" &
until [[ -e "$scratch/lock.held" ]]; do sleep 0.1; done
said=$(wait_for_apt)
wait
[[ "$said" == *"waiting for it"* ]] || { echo "with a lock set-up says: $said"; exit 1; }

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
