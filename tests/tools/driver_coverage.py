"""Which functions of the driver (cuda/stand_in/driver/api.def) no test of tests/cuda/stand_in/driver calls: one a line, and how many of how many."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
calls = re.findall(r"^DRIVER_CALL\(\w+, \d+, (\w+)\)", (ROOT / "cuda/stand_in/driver/api.def").read_text(encoding="utf-8"), re.M)
texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests/cuda/stand_in/driver").iterdir() if path.suffix in (".cpp", ".py")]
words = set(re.findall(r"\w+", " ".join(texts)))
# call_codes.py makes some names of parts.
for kind in ("D8", "D16", "D32"):
    words |= {f"cuMemset{kind}_v2", f"cuMemset{kind}Async", f"cuMemsetD2{kind}_v2", f"cuMemsetD2{kind}Async"}
words |= {f"cuStream{what}Value{bits}_v2" for what in ("Write", "Wait") for bits in (32, 64)}
untested = [call for call in calls if call not in words]
print("\n".join(untested))
print(f"{len(calls) - len(untested)} of {len(calls)} are called by a test")
