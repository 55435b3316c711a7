"""The plug-in in a process that `pytest --warplens` has started anew: a part for each test, its findings and its recording.
PYTEST_DONT_REWRITE"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional

import pytest

from . import _pytest_elsewhere as elsewhere
from . import _pytest_part as parts
from ._program import WarpLensError

_PART = pytest.StashKey[parts.Part]()
_TAKES: Mapping[str, Callable[[Any], bool]] = {"device": lambda value: isinstance(value, str),
                                               "sanitize": lambda value: value in ("off", "memory", "all"),
                                               "strict": lambda value: isinstance(value, bool)}
_MOST_LINES = 50  # lines of the summary


def marked(item: pytest.Item) -> dict[str, Any]:
    """What the marks of a test say together; the nearest one wins."""
    said: dict[str, Any] = {}
    for mark in item.iter_markers("warplens"):
        for name, value in mark.kwargs.items():
            said.setdefault(name, value)
    return said


def _check_marks(item: pytest.Item) -> None:
    wrong = [f"{name}={value!r}" for name, value in marked(item).items() if name not in _TAKES or not _TAKES[name](value)]
    wrong += [repr(value) for mark in item.iter_markers("warplens") for value in mark.args]
    if wrong:
        raise pytest.UsageError(f"{item.nodeid}: @pytest.mark.warplens does not take {', '.join(wrong)}. It takes "
                                "device=NAME, sanitize='off', 'memory' or 'all', and strict=True or False")


class WarpLens:
    def __init__(self, config: pytest.Config):
        self.config = config
        options = config.option
        self.strict: bool = options.warplens_strict
        self.folder: Optional[Path] = None
        if options.warplens_record:
            self.folder = Path(config.invocation_params.dir, options.warplens_record)
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise pytest.UsageError(f"--warplens-record {self.folder}: {error.strerror}") from error
        self.own = elsewhere.own_place(options)
        self.others = elsewhere.Others(config)
        self.outside = parts.JournalReader(Path(os.environ["WARPLENS_PROGRAM_JOURNAL"]))
        self.outside.read()  # where this session runs inside a test of another one, that is the other's
        # For the terminal's summary.
        self.all = parts.Notes()
        self.users: set[str] = set()
        self.findings: list[tuple[str, str]] = []
        self.recordings: list[str] = []

    def pytest_report_header(self) -> str:
        device, sanitize = self.own
        return f"warplens: {device}" + (f", sanitize {sanitize}" if sanitize != "off" else "")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            _check_marks(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: Optional[pytest.Item]) -> Optional[bool]:
        place = self.place_of(item)
        if place == self.own:
            return None
        after = nextitem if nextitem is not None and self.place_of(nextitem) == place else None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in self.others.run(place, item, after):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def place_of(self, item: pytest.Item) -> tuple[str, str]:
        said = marked(item)
        return said.get("device", self.own[0]), said.get("sanitize", self.own[1])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        part = item.stash[_PART] = parts.begin(item.nodeid, self.folder is not None)
        if self.folder is not None:
            part.recording = str(parts.recording_of(self.folder, item.nodeid))
        part.enter()
        yield
        self.judge(item)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        yield
        self.judge(item)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        try:
            yield
        finally:
            if part := item.stash.get(_PART, None):
                part.leave()
        self.judge(item)

    def judge(self, item: pytest.Item) -> None:
        """A test that has passed so far fails where it has findings and that is asked for."""
        part = item.stash.get(_PART, None)
        if part is None or not part.read().findings or not marked(item).get("strict", self.strict):
            return
        found = part.fresh.findings
        pytest.fail(f"{len(found)} finding{'s' if len(found) > 1 else ''} of WarpLens, the first: {found[0]}", pytrace=False)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        report = yield
        part = item.stash.get(_PART, None)
        if part is None:
            return report
        part.read()
        part.failed = part.failed or report.failed
        notes = part.take()
        if notes.findings:
            report.sections.append(("WarpLens: findings", "\n".join(notes.findings)))
            found = [("warplens_finding", finding) for finding in notes.findings]
            item.user_properties += found
            report.user_properties += found
        report.warplens = {**vars(notes), "recording": ""}
        if call.when == "teardown":
            del item.stash[_PART]
            self.close(part, report)
        return report

    def close(self, part: parts.Part, report: Any) -> None:
        """The test is over: what it did is kept where it failed."""
        if part.failed and part.recording:
            try:
                report.warplens["recording"] = part.save(Path(part.recording)) or ""
            except (WarpLensError, OSError) as error:
                report.sections.append(("WarpLens: no recording", str(error)))
        part.remove()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "???" and not hasattr(report, "warplens"):
            self.add_rest(report)
        if not (told := getattr(report, "warplens", None)):
            return
        self.all.add(parts.Notes([], told["launches"], told["copies"], told["device"]))
        if told["device"]:
            self.users.add(report.nodeid)
        self.findings += [(report.nodeid, finding) for finding in told["findings"]]
        if told["recording"]:
            self.recordings.append(told["recording"])

    def add_rest(self, report: Any) -> None:
        """The process of a test has died, and somebody else reports it: what it did until then is in its folder."""
        for part in parts.unfinished(Path(os.environ[parts.ROOT])):
            if part.test != report.nodeid:
                continue
            notes = part.read()
            report.warplens = {**vars(notes), "recording": ""}
            if notes.findings:
                report.sections.append(("WarpLens: findings", "\n".join(notes.findings)))
            part.recording = str(parts.recording_of(self.folder, part.test)) if self.folder else ""
            part.failed = True
            self.close(part, report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.others.end()
        for item in session.items if hasattr(session, "items") else ():
            if part := item.stash.get(_PART, None):  # Ctrl+C, pytest.exit()
                part.leave()
                part.remove()

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        outside = self.outside.read()
        device = self.all.device or outside.device
        virtual = "" if self.own[0].startswith("cuda:") else ", virtual"
        terminalreporter.section(f"warplens: {device}{virtual}" if device else "warplens: no test used CUDA")
        if not device:
            return
        write = terminalreporter.write_line
        write(f"{_count(len(self.users), 'test')} used it: {_count(self.all.launches, 'launch')}, "
              f"{_count(self.all.copies, 'copy')}, {_count(len(self.findings), 'finding')}")
        lines = [f"{test}: {finding}" for test, finding in self.findings]
        lines += [f"outside of the tests: {finding}" for finding in outside.findings]
        for line in lines[:_MOST_LINES]:
            write(f"  {line}")
        if len(lines) > _MOST_LINES:
            write(f"  and {len(lines) - _MOST_LINES} more")
        for path in self.recordings:
            write(f"  recorded: {path}")
        if self.recordings:
            write("  `warplens FILE` opens a recording in the window, and `warplens recording FILE` lists it.")


def _count(number: int, word: str) -> str:
    many = {"copy": "copies", "launch": "launches"}.get(word, word + "s")
    return f"{number:,} {word if number == 1 else many}"


def configure(config: pytest.Config) -> None:
    if parts.ROOT not in os.environ:
        raise pytest.UsageError("--warplens has to be on pytest's command line, in its configuration or in PYTEST_ADDOPTS")
    elsewhere.serve_if_asked(config)
    config.pluginmanager.register(WarpLens(config), "warplens-session")
