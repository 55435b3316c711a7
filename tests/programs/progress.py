"""A plugin of pytest that says what a run is at, a line each in the file that WARPLENS_PROGRESS names: `start TEST`, then
`end TEST OUTCOME REASON`; `broken FILE REASON` where a file cannot be read. It is written at once, so that a run that hangs
or crashes has said in which test. Tests that the file WARPLENS_LEAVE_OUT names are left out."""
import os
import pathlib
import re

import pytest

LIMIT = 300  # characters of a reason
outcomes = {}


def plain(part):
    """A line without colours, and without the folders of this machine in front of a source file."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", " ".join(str(part).split()))
    return re.sub(r'"[^" ]*/([^/" ]+\.py)"', r'"\1"', text)[:LIMIT]


def say(*parts):
    with open(os.environ["WARPLENS_PROGRESS"], "a", encoding="utf-8") as progress:
        progress.write("\t".join(plain(part) for part in parts) + "\n")


def name_of(path):
    """A test file by its path from the folder that --rootdir names, without its ending."""
    return pathlib.PurePath(path).with_suffix("").as_posix()


def short(nodeid):
    path, _, rest = nodeid.partition("::")
    return f"{name_of(path)}::{rest}"


def reason_of(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return crash.message
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    return str(report.longrepr).strip().rpartition("\n")[2]


def pytest_collection_modifyitems(items):
    listed = os.environ.get("WARPLENS_LEAVE_OUT")
    leave_out = set(pathlib.Path(listed).read_text(encoding="utf-8").splitlines()) if listed else set()
    items[:] = [item for item in items if short(item.nodeid) not in leave_out]


def pytest_collectreport(report):
    if report.failed:
        say("broken", name_of(report.nodeid), reason_of(report))


def pytest_runtest_logstart(nodeid, location):
    outcomes[nodeid] = ("passed", "")
    say("start", short(nodeid))


def pytest_runtest_logreport(report):
    # A mistake that a test is known for counts as passed: it is what its authors expect.
    if report.failed or (report.skipped and not hasattr(report, "wasxfail")):
        before = outcomes.get(report.nodeid, ("passed", ""))[0]
        if before != "failed":
            outcomes[report.nodeid] = ("failed" if report.failed else "skipped", reason_of(report))


def pytest_runtest_logfinish(nodeid, location):
    say("end", short(nodeid), *outcomes[nodeid])


@pytest.fixture
def initialize_from_pytest_config(request):
    """numba-cuda's tests want it from a conftest.py that is not installed with them."""
    request.cls._dump_failed_filechecks = False
