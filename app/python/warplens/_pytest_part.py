"""What a test did with the device: a folder of its own, into which the driver writes while the test runs.

The driver notes what a process does in the folders that the environment names (docs/adr/0079-tests-are-parts.md). A test
names other ones for as long as it runs, so what it did stands apart, its child processes included, and is there also where
the process dies. PYTEST_DONT_REWRITE"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import json
import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator, Optional

from ._program import call, error_of

ROOT = "WARPLENS_PYTEST_FOLDER"  # where parts have their folders; inside a part, its own
_JOURNAL, _RECORD = "WARPLENS_PROGRAM_JOURNAL", "WARPLENS_PROGRAM_RECORD"
_RECORD_LIMIT = 256 << 20  # the driver's, unless another is set
_numbers = itertools.count(1)


@dataclass
class Notes:
    """What journals say."""
    findings: list[str] = field(default_factory=list)
    launches: int = 0
    copies: int = 0
    device: str = ""  # of the processes that used it

    def add(self, other: Notes) -> None:
        self.findings += [finding for finding in other.findings if finding not in self.findings]
        self.launches += other.launches
        self.copies += other.copies
        self.device = self.device or other.device


def sentence_of(event: dict[str, Any], places: dict[int, str]) -> str:
    """A finding as the driver says it on standard error."""
    kernel, place = event.get("kernel") or "", places.get(event.get("place", 0), "")
    where = f"{kernel}: " if kernel else f"{place}: " if place else ""
    if event.get("line"):
        where += f"{event.get('file')}:{event['line']}: "
    called = f" (launched at {os.path.basename(place)})" if kernel and place else ""
    return f"{where}{event.get('message')}{called}"


class JournalReader:
    """The journals of a folder, each from where it was read before."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._read: dict[str, int] = {}
        self._places: dict[str, dict[int, str]] = {}
        self._devices: dict[str, str] = {}

    def read(self) -> Notes:
        notes = Notes()
        for path in sorted(self._folder.glob("*.journal")):
            with open(path, "rb") as file:
                file.seek(self._read.get(path.name, 0))
                text = file.read()
            text = text[:text.rfind(b"\n") + 1]  # a line that is not whole is being written, or its process is dead
            self._read[path.name] = self._read.get(path.name, 0) + len(text)
            for line in text.splitlines():
                self._note(line, path.name, notes)
        return notes

    def _note(self, line: bytes, name: str, notes: Notes) -> None:
        kind = line[10:line.find(b'"', 10)]  # {"event":"launch",…
        places = self._places.setdefault(name, {})
        try:
            event = json.loads(line) if kind in (b"start", b"place", b"finding", b"launches", b"copies") else {}
        except ValueError:  # the disk was full
            return
        if kind == b"start":
            self._devices[name] = str(event.get("device_name", ""))
            places.clear()
        elif kind == b"place":
            places[event.get("number", 0)] = f"{event.get('file')}:{event.get('line')}"
        if kind in (b"start", b"place", b"end"):  # a driver without any calls writes these, too
            return
        notes.device = self._devices.get(name, "")
        if kind == b"finding":
            notes.add(Notes(findings=[sentence_of(event, places)]))
        elif kind in (b"launch", b"launches"):  # the second: a sum, where the journal has reached its limit
            notes.launches += int(event.get("count", 1))
        elif kind in (b"copy", b"copies"):
            notes.copies += int(event.get("count", 1))


def _device_in(journal: Path) -> Optional[str]:
    try:
        with open(journal, "rb") as file:
            return str(json.loads(file.readline())["device"])
    except (OSError, ValueError, LookupError):
        return None


def _driver() -> Optional[Any]:
    """The library that this process has loaded as CUDA's driver. None if it has loaded none: then nothing has to be reported."""
    try:
        library = ctypes.CDLL("libcuda.so.1", mode=os.RTLD_NOLOAD | os.RTLD_NOW)
        return library.warplens_begin_part
    except (OSError, AttributeError):  # no driver, or NVIDIA's
        return None


class Part:
    def __init__(self, folder: Path, test: str):
        self.folder, self.test = folder, test
        self.failed = False
        self.recording = ""  # the recording's later path
        self.fresh = Notes()  # the notes that are in no report yet
        self._used = False
        self._journal = JournalReader(folder / "journals")
        self._before: dict[str, Optional[str]] = {}

    def enter(self) -> None:
        """From here on, what this process and its children do belongs to the test."""
        variables = {ROOT: str(self.folder), _JOURNAL: str(self.folder / "journals")}
        if (self.folder / "launches").is_dir():
            variables[_RECORD] = str(self.folder / "launches")
        self._before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        if begin := _driver():
            begin(0)

    def leave(self) -> None:
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._before = {}
        if begin := _driver():
            begin(int(self.failed))

    def read(self) -> Notes:
        """The journals' new entries, which are also kept for the next report."""
        notes = self._journal.read()
        self.fresh.add(notes)
        self._used = self._used or bool(notes.device)
        return notes

    def take(self) -> Notes:
        notes, self.fresh = self.fresh, Notes()
        return notes

    def save(self, path: Path) -> Optional[str]:
        """Makes the recording, and gives its path. None where the test did nothing on the device."""
        if not self._used:
            return None
        device = next(filter(None, map(_device_in, sorted((self.folder / "journals").glob("*.journal")))), "")
        # As a launcher that was killed leaves its folder (app/user_program/folder.h).
        note = {"command": ["pytest", self.test], "device": device, "record": True, "record_limit": _RECORD_LIMIT}
        (self.folder / "launcher.json").write_text(json.dumps(note), encoding="utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        done = call(["recording", str(self.folder), "--out", str(path)])
        if done.returncode != 0:
            raise error_of(done)
        return str(path)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def begin(test: str, records: bool) -> Part:
    folder = Path(os.environ[ROOT]) / f"{os.getpid()}-{next(_numbers)}"
    (folder / "journals").mkdir(parents=True)
    if records:
        (folder / "launches").mkdir()
    (folder / "test").write_text(test, encoding="utf-8")  # last: a folder with this file is complete
    return Part(folder, test)


def unfinished(root: Path) -> Iterator[Part]:
    for path in sorted(root.glob("*/test")):
        # Another worker may have ended its part and removed it since the folder was listed.
        try:
            name = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            continue
        yield Part(path.parent, name)


def recording_of(folder: Path, test: str) -> Path:
    """A file name that names the test and is unique to it."""
    path, _, rest = test.partition("::")
    whole = f"{path.replace('/', '_')}.{rest.replace('::', '.')}"
    name = re.sub(r"[^\w.\[\]=-]+", "_", whole)[:150]
    if name != whole:
        name += "-" + hashlib.sha256(test.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return folder / f"{name}.warplens"
