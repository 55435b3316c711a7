"""`pytest --warplens`: pytest is started once more under `warplens program`, before it loads anything of the project, and this
process waits for it. PYTEST_DONT_REWRITE"""

from __future__ import annotations

import ctypes
import os
import signal
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

import pytest

from . import _pytest_part as parts
from ._program import WarpLensError, environment, program

# What pytest was started with: it is set in the process that was started again, and in those that it starts.
ASKED = "WARPLENS_PYTEST_ASKED"
SERVES = "WARPLENS_PYTEST_SERVES"  # in a process for other tests (_pytest_elsewhere.py): where it is told what to run
_PASSED = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_MORE_THAN_PYTEST_RETURNS = 6  # pytest.ExitCode ends at 5


def asked_of(options: Any) -> str:
    return "\n".join((options.warplens_device, options.warplens_sanitize, options.warplens_steps))


def launcher(device: str, sanitize: str, steps: str) -> list[str]:
    """The command before pytest."""
    command = [program(), "program", "--quiet", "--device", device]
    # Neither is for a real GPU: the launcher refuses them there.
    if sanitize != "off":
        command += ["--sanitize", sanitize]
    if steps:
        command += ["--steps", steps]
    return [*command, "--"]


def pytest_again(arguments: list[str]) -> list[str]:
    """pytest as it was started, by its script or by `python -m pytest`. `arguments` are those of pytest."""
    script = sys.argv[0]
    if os.path.basename(script) != "__main__.py" and os.path.isfile(script):
        return [sys.executable, script, *arguments]
    return [sys.executable, "-m", "pytest", *arguments]


def start_again(config: Any) -> None:
    """Returns in the restarted process; in any other, starts pytest again and exits with its status."""
    options = config.known_args_namespace
    if int(pytest.__version__.partition(".")[0]) < 8:
        raise pytest.UsageError(f"--warplens needs pytest 8 or newer; this is {pytest.__version__}")
    asked = asked_of(options)
    if SERVES in os.environ:
        return
    if os.environ.get(ASKED) == asked and os.path.isdir(os.environ.get(parts.ROOT, "")):
        return
    if ASKED not in os.environ and "WARPLENS_PROGRAM_JOURNAL" in os.environ:
        raise pytest.UsageError("pytest runs under `warplens program` already: leave --warplens out, or start pytest without it")
    if [str(word) for word in config.invocation_params.args] != sys.argv[1:]:
        raise pytest.UsageError("--warplens starts pytest again, so it has to be an option of pytest's own command line. "
                                "A script that calls pytest.main() runs by: warplens program -- python SCRIPT")
    try:
        command = launcher(options.warplens_device, options.warplens_sanitize, options.warplens_steps)
        variables = environment()
    except WarpLensError as error:
        raise pytest.UsageError(f"--warplens: {error}") from error
    _run(command + _own_command(), {**variables, ASKED: asked}, options.warplens_record)


def _own_command() -> list[str]:
    whole = getattr(sys, "orig_argv", None)  # from Python 3.10 on
    return [sys.executable, *whole[1:]] if whole else pytest_again(sys.argv[1:])


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _run(command: list[str], variables: dict[str, str], record: str) -> NoReturn:
    folder = tempfile.mkdtemp(prefix="warplens-pytest-")
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def end_with_parent() -> None:
        libc.prctl(1, int(signal.SIGTERM), 0, 0, 0)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(128 + signal.SIGTERM)

    sys.stdout.flush()
    sys.stderr.flush()
    try:
        # A request to end waits until the process has started.
        signal.pthread_sigmask(signal.SIG_BLOCK, _PASSED)
        child = subprocess.Popen(command, env={**variables, parts.ROOT: folder}, preexec_fn=lambda: _begin(end_with_parent))
        for number in _PASSED:
            signal.signal(number, lambda caught, _: child.send_signal(caught))
        # A terminal sends the signal to all processes in its foreground.
        alone = not _has_terminal()
        signal.signal(signal.SIGINT, lambda caught, _: child.send_signal(caught) if alone else None)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED)
        status = child.wait()
        status = 128 - status if status < 0 else status
        _tell_of_death(Path(folder), status, record)
    except OSError as error:
        print(f"warplens: {command[0]} does not start: {error.strerror}", file=sys.stderr)
        status = 3
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    sys.stderr.flush()
    # Not what is done when Python exits: the process that ran the tests has written what there is to write, as its coverage.
    os._exit(status)


def _begin(end_with_parent: Any) -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED)
    end_with_parent()


def _tell_of_death(folder: Path, status: int, record: str) -> None:
    """pytest is gone, and a test has not ended: it says nothing any more, so this does."""
    for part in parts.unfinished(folder):
        how = f"status {status}"
        if status > 128:
            try:
                how = signal.Signals(status - 128).name
            except ValueError:
                pass
        print(f"warplens: pytest was ended ({how}) in {part.test}. With pytest-xdist (-n 1), only the test that ends its process fails, and the tests after it still run.", file=sys.stderr)
        for finding in part.read().findings:
            print(f"warplens:   {finding}", file=sys.stderr)
        try:
            if record and (path := part.save(parts.recording_of(Path(record), part.test))):
                print(f"warplens:   recorded: {path}", file=sys.stderr)
        except (WarpLensError, OSError) as error:
            print(f"warplens:   no recording: {error}", file=sys.stderr)
