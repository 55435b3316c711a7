"""The model of an SM says today what sm_model.jsonl has of some launches, and docs/sm-model.md has its tables."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "tests/data/truth/sm_page.py"
CORE_TESTS = pathlib.Path(sys.argv[1]).parent / "core_tests"
# Of each kind of access, barrier and unit, in small launches.
LAUNCHES = ("vector_add-1000000-1", "transpose_padded-258741", "reduce_shuffle-1000000-256", "histogram_shared-262144", "pi_atomic_warp-200000")


def run(*words):
    done = subprocess.run([sys.executable, "-B", str(PAGE), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


if not CORE_TESTS.exists():
    print("skipped: core_tests is not built")
    sys.exit(77)
run("--check")
for name in LAUNCHES:
    run("--record", str(CORE_TESTS), name)
