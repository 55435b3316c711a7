"""tools/budget says what is over its budget, writes its table where the page has its marks, and measures no second build."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "budget"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("budget", str(SCRIPT))
budget = importlib.util.module_from_spec(importlib.util.spec_from_loader("budget", loader))
loader.exec_module(budget)

measures = budget.Measures(ROOT, {})
measures.yardsticks = [9, 11]
first, second = list(budget.BUDGETS)[:2]
measures.rows = {first: (10 * budget.BUDGETS[first] + 1, 5), second: (10 * budget.BUDGETS[second] - 1, 5)}
assert measures.over() == [first], measures.over()
assert budget.table(measures).count("\n") == 4, budget.table(measures)
assert f"| {budget.BUDGETS[first]} |" in budget.table(measures)

measures.measure(second, sys.executable, "-c", "sum(i for i in range(3_000_000))")
assert 0.02 < measures.rows[second][0] < 60, measures.rows
measures.call("false")
assert measures.failed == ["false"], measures.failed

page = budget.PAGE.read_text(encoding="utf-8")
assert page.count(budget.BEGIN) == 1 and page.count(budget.END) == 1
if (ROOT / "build" / "release").exists():
    done = subprocess.run([SCRIPT, "--here"], capture_output=True, text=True)
    assert done.returncode == 1 and "is there already" in done.stderr, done
print("budgets are as they should be")
