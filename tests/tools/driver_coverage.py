"""Which functions of the driver (driver/api.def) no test of tests/driver calls: one a line, and how many of how many."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
calls = re.findall(r"^DRIVER_CALL\(\w+, \d+, (\w+)\)", (ROOT / "driver" / "api.def").read_text(encoding="utf-8"), re.M)
words = set(re.findall(r"\w+", " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "driver").glob("*.cpp"))))
untested = [call for call in calls if call not in words]
print("\n".join(untested))
print(f"{len(calls) - len(untested)} of {len(calls)} are called by a test")
