"""What the program does for students: it compiles and judges, in its sandbox. The students take turns."""

from __future__ import annotations

import asyncio
import collections
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Awaitable, Callable, Optional

from .._program import environment, program

Answer = dict[str, Any]

MOST_SOURCE_BYTES = 256 << 10
_COMPILE_SECONDS, _JUDGE_SECONDS = 10, 60
_MEMORY_MIB = 2048
_MOST_ANSWER_BYTES = 8 << 20
_CACHE_BYTES = 64 << 20
_VARIABLES = ("HOME", "PATH", "LANG", "LD_LIBRARY_PATH", "XDG_CACHE_HOME", "TMPDIR", "CUDA_HOME", "VIRTUAL_ENV", "CONDA_PREFIX")


class Busy(Exception):
    """Somebody has too much work waiting, or nothing came of it in time."""


class Turns:
    """Runs `workers` jobs at the same time. Each student has one of them at most, and then the next student has the turn."""

    def __init__(self, workers: int, most_waiting: int = 4, seconds: float = 120):
        self._free, self._most_waiting, self._seconds = workers, most_waiting, seconds
        self._waiting: collections.OrderedDict[Any, collections.deque[asyncio.Future[None]]] = collections.OrderedDict()
        self._at_work: set[Any] = set()

    async def run(self, who: Any, job: Callable[[], Awaitable[Answer]]) -> Answer:
        queue = self._waiting.setdefault(who, collections.deque())
        if len(queue) >= self._most_waiting:
            raise Busy("Too much of your work is waiting already.")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        self._give()
        try:
            await asyncio.wait_for(asyncio.shield(turn), self._seconds)
        except asyncio.TimeoutError:
            if turn.done():
                self._end(who)
            raise Busy("The server has too much to do. Try again.") from None
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end(who)
            raise
        finally:
            turn.cancel()
        try:
            return await job()
        finally:
            self._end(who)

    def _end(self, who: Any) -> None:
        self._free += 1
        self._at_work.discard(who)
        self._give()

    def _give(self) -> None:
        for who in list(self._waiting):
            queue = self._waiting[who]
            while queue and queue[0].done():  # it waits no more
                queue.popleft()
            if not queue:
                del self._waiting[who]
            elif self._free and who not in self._at_work:
                self._free -= 1
                self._at_work.add(who)
                queue.popleft().set_result(None)
                self._waiting.move_to_end(who)


class Cache:
    """Answers by contents. The oldest ones make room."""

    def __init__(self, most_bytes: int = _CACHE_BYTES):
        self._left = most_bytes
        self._known: collections.OrderedDict[str, str] = collections.OrderedDict()

    def find(self, key: str) -> Optional[Answer]:
        text = self._known.get(key)
        if text is None:
            return None
        self._known.move_to_end(key)
        return dict(json.loads(text))

    def keep(self, key: str, answer: Answer) -> None:
        text = json.dumps(answer)
        self._left -= len(text) - len(self._known.pop(key, ""))
        self._known[key] = text
        while self._left < 0:
            self._left += len(self._known.popitem(last=False)[1])


class Programs:
    """The program's commands, with one compiler."""

    def __init__(self, compiler: str, seed: int):
        self._program = program()
        self._compiler, self._seed = compiler, seed
        # What the compiler sees, a student may find a way to see.
        known = {name: value for name, value in environment().items() if name in _VARIABLES or name.startswith("WARPLENS_")}
        self._environment = {**known, "WARPLENS_COMPILER": compiler}
        self.challenges: list[str] = []
        self._prepared: dict[tuple[str, bool], asyncio.Task[tuple[int, bytes, str]]] = {}

    async def call(self, arguments: list[str], seconds: float, given: bytes = b"") -> tuple[int, bytes, str]:
        """Exit status, output, and what it says to people."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(self._program, *arguments, stdin=pipe, stdout=pipe, stderr=pipe,
                                                       env=self._environment, cwd="/")
        try:
            out, err = await asyncio.wait_for(process.communicate(given), seconds)
        except asyncio.TimeoutError:
            return 1, b"", "It took too long."
        finally:
            if process.returncode is None:
                process.kill()  # its sandbox ends with it
                await process.wait()
        said = err.decode(errors="replace").strip()
        return process.returncode or 0, out, said[len("warplens: "):] if said.startswith("warplens: ") else said

    async def look(self) -> None:
        """Finds out which challenges there are."""
        _, challenges, _ = await self.call(["challenges", "list"], 30)
        self.challenges = [line.split()[0] for line in challenges.decode().splitlines() if line.split()]

    async def _prepare(self, capability: str, debug: bool) -> None:
        """Compiles our own kernel outside of the sandbox, in which nothing can be cached: the header that all sources begin with."""
        if (capability, debug) not in self._prepared:
            words = ["compile", "-", "--json", "--architecture", capability, "--compiler", self._compiler]
            call = self.call(words + (["--debug"] if debug else []), 60, b'extern "C" __global__ void first() {}')
            self._prepared[capability, debug] = asyncio.create_task(call)
        await asyncio.shield(self._prepared[capability, debug])  # others wait for it too

    async def compile(self, source: str, name: str, capability: str, debug: bool) -> Answer:
        """As `warplens compile --json` says it."""
        await self._prepare(capability, debug)
        words = ["compile", "-", "--sandbox", "--json", "--name", name, "--architecture", capability,
                 "--compiler", self._compiler, "--time", str(_COMPILE_SECONDS), "--memory", str(_MEMORY_MIB)]
        status, out, said = await self.call(words + (["--debug"] if debug else []), _COMPILE_SECONDS + 10, source.encode())
        if not out or len(out) > _MOST_ANSWER_BYTES:
            message = "The compiled code is too large." if out else said or f"The compiler ended with status {status}."
            return {"ok": False, "ptx": None, "kernels": [], "compiler": self._compiler, "compile_ms": 0,
                    "diagnostics": [{"severity": "error", "file": name, "line": None, "column": None, "message": message}]}
        return dict(json.loads(out))

    def key(self, source: str, name: str, capability: str, debug: bool) -> str:
        return hashlib.sha256(json.dumps([source, name, capability, debug]).encode()).hexdigest()

    async def judge(self, challenge: str, language: str, source: str) -> Answer:
        """As `warplens judge --json` says it. The challenge is one of those that are built in."""
        hand_in = {"warplens_hand_in": 1, "challenge": challenge, "language": language, "source": source}
        with tempfile.TemporaryDirectory(prefix="warplens-serve-") as folder:
            file = Path(folder) / "answer.json"  # a file of a hand-in is always another person's (docs/grading.md)
            file.write_text(json.dumps(hand_in), encoding="utf-8")
            words = ["judge", challenge, str(file), "--json", "--seed", str(self._seed), "--time", str(_JUDGE_SECONDS),
                     "--memory", str(_MEMORY_MIB)]
            status, out, said = await self.call(words, _JUDGE_SECONDS + 10)
        if not out:
            return {"right": None, "stars": 0, "reason": "no_compiler", "message": said or f"status {status}"}
        return dict(json.loads(out))

    async def why_open(self, store: Path) -> str:
        """Why code of students must not be compiled here: what the sandbox lets it see. Empty if all is well."""
        seen = "".join(f'#if __has_include("{path}")\n#error sees {path}\n#endif\n' for path in ("/etc/passwd", store, Path(__file__)))
        answer = await self.compile(seen + 'extern "C" __global__ void probe() {}\n', "probe.cu", "8.6", False)
        return "" if answer["ok"] else "; ".join(one["message"] for one in answer["diagnostics"])

    async def why_no_python(self, store: Path) -> str:
        """The same of answers in Python, and why they cannot be judged at all. Empty if all is well."""
        seen = "".join(f"if not access({str(path).encode()!r}, 0):\n    raise KeyError({f'it sees {path}'!r})\n"
                       for path in ("/etc/passwd", store, Path(__file__)))  # asked of the system: Python itself refuses such files
        said = await self.judge(self.challenges[0], "numba", f"from ctypes import CDLL\naccess = CDLL(None).access\n{seen}raise KeyError('all well')\n")
        return "" if "all well" in said["message"] else str(said["message"])


def default_workers() -> int:
    return max(1, len(os.sched_getaffinity(0)))
