"""Tests with a mark for another device, or another `sanitize`: a process has one device, so each such pair has a process of its
own, which runs the tests that it is told to, and sends their reports. PYTEST_DONT_REWRITE"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tempfile
from typing import IO, Any, Iterator, Optional

import pytest

from . import _pytest_part as parts
from . import _pytest_start as start

_END_S = 10  # until a server that was told to end is ended

Place = tuple[str, str]  # device and sanitize


def own_place(options: Any) -> Place:
    device, sanitize, _ = os.environ.get(start.ASKED, start.asked_of(options)).split("\n")
    return device, sanitize


class _Server:
    """The other process, from this side."""

    def __init__(self, config: pytest.Config, place: Place):
        self.errors: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        ours, theirs = socket.socketpair()
        device, sanitize = place
        steps = config.option.warplens_steps
        command = start.launcher(device, sanitize, steps) + start.pytest_again(_arguments(config))
        variables = {**os.environ, start.SERVES: str(theirs.fileno()), start.ASKED: "\n".join((device, sanitize, steps))}
        shows = config.option.capture == "no"
        with theirs:
            self.process = subprocess.Popen(command, env=variables, pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL,
                                            stdout=None if shows else subprocess.DEVNULL,
                                            stderr=None if shows else self.errors, cwd=config.invocation_params.dir)
        self.socket = ours
        self.file = ours.makefile("rw", encoding="utf-8")

    def ask(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The answers, up to the last one. Fewer: it has died."""
        try:
            self.file.write(json.dumps(request) + "\n")
            self.file.flush()
            for line in self.file:
                answer = json.loads(line)
                yield answer
                if "done" in answer:
                    return
        except (OSError, ValueError):
            return

    def end(self) -> str:
        """Gives what it said last."""
        for side in (self.file, self.socket):
            try:
                side.close()
            except OSError:
                pass
        try:
            self.process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait()
        self.errors.seek(0)
        with self.errors:
            return self.errors.read()[-2000:].strip()


def _arguments(config: pytest.Config) -> list[str]:
    """pytest's own arguments, without what would write where this process writes."""
    worker = getattr(config, "workerinput", None)
    arguments = list(worker["mainargv"][1:] if worker else map(str, config.invocation_params.args))
    if config.pluginmanager.hasplugin("cacheprovider"):
        arguments += ["-o", f"cache_dir={os.path.join(os.environ[parts.ROOT], 'cache')}"]
    if getattr(config.option, "xmlpath", None):
        arguments.append("--junitxml=")
    if config.pluginmanager.hasplugin("xdist"):
        arguments += ["-n", "0"]
    if config.pluginmanager.hasplugin("pytest_cov"):
        arguments.append("--no-cov")
    return arguments


class Others:
    def __init__(self, config: pytest.Config):
        self._config = config
        self._servers: dict[Place, _Server] = {}

    def run(self, place: Place, item: pytest.Item, after: Optional[pytest.Item]) -> Iterator[pytest.TestReport]:
        try:
            server = self._servers.get(place) or self._servers.setdefault(place, _Server(self._config, place))
        except OSError as error:
            yield _report(item, f"The process for {_words(place)} does not start: {error.strerror}")
            return
        request = {"run": item.nodeid, "next": after.nodeid if after else None}
        for answer in server.ask(request):
            if "report" in answer:
                yield self._config.hook.pytest_report_from_serializable(config=self._config, data=_tuples(answer["report"]))
            elif answer["done"]:
                return
            else:
                yield _report(item, f"It was not collected in the process for {_words(place)}")
                return
        del self._servers[place]  # the next test gets another one
        said = server.end()
        yield _report(item, f"The process for {_words(place)} ended in this test, with status {server.process.returncode}."
                      + (f"\n{said}" if said else ""))

    def end(self) -> None:
        for server in self._servers.values():
            server.end()
        self._servers.clear()


def _words(place: Place) -> str:
    device, sanitize = place
    return f"{device}, sanitize {sanitize}" if sanitize != "off" else device


def _report(item: pytest.Item, text: str) -> pytest.TestReport:
    """As pytest-xdist reports a test whose worker has died."""
    return pytest.TestReport(nodeid=item.nodeid, location=item.location, keywords={}, outcome="failed", longrepr=text,
                             when="???")  # type: ignore[arg-type]


def _tuples(report: dict[str, Any]) -> dict[str, Any]:
    """What JSON has made lists of."""
    for name in ("sections", "user_properties"):
        report[name] = [tuple(pair) for pair in report.get(name, ())]
    report["location"] = tuple(report["location"])
    if isinstance(report["longrepr"], list):  # of a skip
        report["longrepr"] = tuple(report["longrepr"])
    return report


class _Serving:
    """In the other process."""

    def __init__(self, config: pytest.Config, descriptor: int):
        self.config = config
        os.set_inheritable(descriptor, False)
        self.socket = socket.socket(fileno=descriptor)
        self.file = self.socket.makefile("rw", encoding="utf-8")

    def send(self, answer: dict[str, Any]) -> None:
        self.file.write(json.dumps(answer, default=str) + "\n")
        self.file.flush()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for line in self.file:
            request = json.loads(line)
            item = items.get(request["run"])
            if item is not None:
                item.ihook.pytest_runtest_protocol(item=item, nextitem=items.get(request["next"]))
            self.send({"done": item is not None})
        return True

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.send({"report": self.config.hook.pytest_report_to_serializable(config=self.config, report=report)})


def serve_if_asked(config: pytest.Config) -> None:
    descriptor = os.environ.pop(start.SERVES, None)
    if descriptor is None:
        return
    config.pluginmanager.unregister(name="terminalreporter")  # the other side has one
    config.pluginmanager.register(_Serving(config, int(descriptor)), "warplens-serving")
