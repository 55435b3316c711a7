"""Processes for Python programs that need not import Numba and compile their first kernel: forks.py has done it for them."""
import contextlib
import json
import os
import pathlib
import queue
import selectors
import signal
import subprocess
import tempfile
import time

import suites

HERE = pathlib.Path(__file__).resolve().parent


class Warm:
    """One program at a time, behind the same launcher."""

    def __init__(self, launcher, python):
        self.server = subprocess.Popen([*launcher, python, "-W", "ignore", HERE / "forks.py"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
                                       env={**os.environ, "PYTHONPATH": str(HERE)})
        self.said = b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.server.stdout, selectors.EVENT_READ)

    def close(self):
        self.server.stdin.close()
        suites.end_group(self.server)
        self.server.stdout.close()
        self.selector.close()

    def number(self, patience_s):
        """The server's next answer; None if it has none yet."""
        if b"\n" not in self.said and self.selector.select(patience_s):
            piece = os.read(self.server.stdout.fileno(), 4096)
            if not piece:
                raise RuntimeError(f"forks.py has ended: {self.server.wait()}")
            self.said += piece
        if b"\n" not in self.said:
            return None
        line, _, self.said = self.said.partition(b"\n")
        return int(line)

    def run(self, command, variables, limit_s, progress=None, folder=None):
        """As suites.in_group; the command as it stands behind `python`."""
        if suites.ended.is_set():
            raise suites.Ended
        with tempfile.NamedTemporaryFile() as output:
            order = {"command": [str(word) for word in command], "variables": variables, "folder": folder,
                     "output": output.name}
            self.server.stdin.write(json.dumps(order).encode() + b"\n")
            self.server.stdin.flush()
            while (process := self.number(0.05)) is None:
                if suites.ended.is_set():
                    raise suites.Ended
            size, since, status, late = -1, time.monotonic(), None, False
            while (status := self.number(0.05)) is None:
                now = os.path.getsize(progress or output.name)
                if now != size:
                    size, since = now, time.monotonic()
                if time.monotonic() - since > limit_s or suites.ended.is_set():
                    late = True
                    break
            self.end(process, status)
            if suites.ended.is_set():
                raise suites.Ended
            return (None if late else status), pathlib.Path(output.name).read_text(encoding="utf-8", errors="replace")

    def end(self, process, status):
        """Ends what is left of a program: itself, where it has no status yet, and all that it started."""
        for what in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process, what)
            except ProcessLookupError:
                break
            end = time.monotonic() + 10
            while status is None and time.monotonic() < end:
                status = self.number(0.05)
        while status is None:
            status = self.number(0.05)


class Pool:
    """As many as there are jobs, each made when it is wanted."""

    def __init__(self, launcher, python):
        self.made, self.idle, self.how = [], queue.SimpleQueue(), (launcher, python)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for warm in self.made:
            warm.close()

    @contextlib.contextmanager
    def one(self):
        try:
            warm = self.idle.get_nowait()
        except queue.Empty:
            warm = Warm(*self.how)
            self.made.append(warm)
        yield warm
        self.idle.put(warm)
