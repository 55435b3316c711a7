"""Where the program is, how it is started, and where it finds NVIDIA's compilers."""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Mapping, Optional, Sequence

Done = subprocess.CompletedProcess[str]

_HERE = Path(__file__).resolve().parent


class WarpLensError(Exception):
    """What went wrong, in the program's own words. `status` is its exit status: 2 for bad input, 3 for something that
    is missing on this machine, 1 for anything else."""

    def __init__(self, message: str, status: int = 1):
        super().__init__(message)
        self.status = status


def version() -> str:
    """The version of the installed package, or of no package where the module runs from its source."""
    try:
        return metadata.version("warplens")
    except metadata.PackageNotFoundError:
        return "0+source"


def program() -> str:
    """The path of the program: $WARPLENS_PROGRAM, the package's own, or the first `warplens` of PATH that is not a
    script of this package."""
    if chosen := os.environ.get("WARPLENS_PROGRAM"):
        return chosen
    own = _HERE / "_program" / "bin" / "warplens"
    if own.is_file():
        return str(own)
    found = shutil.which("warplens")
    if found and _is_elf(found):
        return found
    raise WarpLensError("the package holds no program. Install the wheel, or name a built program in WARPLENS_PROGRAM.", 3)


def _is_elf(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def _site_folders() -> list[Path]:
    """Where pip installs: NVIDIA's wheels are in the same folder as this package."""
    folders = [_HERE.parent, *(Path(folder) for folder in sys.path if folder)]
    return list(dict.fromkeys(folder for folder in folders if folder.is_dir()))


def _first(*patterns: str) -> Optional[Path]:
    for folder in _site_folders():
        for pattern in patterns:
            if found := sorted(folder.glob(pattern)):
                return found[-1]
    return None


# What the program looks for, and where NVIDIA's wheels have it. Each wheel has a folder of its own up to CUDA 12, and one
# folder for all from 13 on.
_HEADERS = ("cuda_runtime", "cuda_cccl", "cuda_nvcc", "curand", "cuda_nvrtc")


def compilers() -> dict[str, str]:
    """The variables that tell the program where pip's NVIDIA packages are. What is not there is left out."""
    found = {
        "WARPLENS_NVRTC": _first("nvidia/cuda_nvrtc/lib/libnvrtc.so.12"),
        "WARPLENS_PTXAS": _first("nvidia/cu13/bin/ptxas"),
        "WARPLENS_PTXAS12": _first("nvidia/cuda_nvcc/bin/ptxas"),
        "WARPLENS_NVVM": _first("nvidia/cuda_nvcc/nvvm"),
    }
    variables = {name: str(path) for name, path in found.items() if path}
    headers = [path for part in _HEADERS if (path := _first(f"nvidia/{part}/include"))]
    if any((path / "cuda_fp16.h").is_file() for path in headers):
        variables["WARPLENS_CUDA_INCLUDE_DIRS"] = ":".join(map(str, headers))
    if photos := _first("skimage/data/astronaut.png"):
        variables["WARPLENS_PHOTOS_DIR"] = str(photos.parent)
    return variables


@functools.lru_cache(maxsize=None)
def _has_desktop_libraries() -> bool:
    try:
        for library in ("libX11.so.6", "libxcb.so.1"):
            ctypes.CDLL(library)
    except OSError:
        return False
    return True


def environment() -> dict[str, str]:
    """The program's environment: ours, and what it has to know of this installation. What the user set is kept."""
    variables = {**compilers(), **os.environ}
    # A script runs in the environment that is active, else in this one: the command works without activation too.
    if not any(os.environ.get(name) for name in ("VIRTUAL_ENV", "CONDA_PREFIX")):
        variables.setdefault("WARPLENS_PYTHON", sys.executable)
    spare = _HERE / "_program" / "lib" / "warplens" / "without-a-desktop"
    if spare.is_dir() and not _has_desktop_libraries():
        folders = [folder for folder in (variables.get("LD_LIBRARY_PATH"), str(spare)) if folder]
        variables["LD_LIBRARY_PATH"] = ":".join(folders)
    return variables


def call(arguments: Sequence[str], more: Optional[Mapping[str, str]] = None) -> Done:
    """Runs a command of the program to its end. Interrupting Python interrupts it too."""
    path = program()
    try:
        return subprocess.run([path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              env={**environment(), **(more or {})}, check=False)
    except OSError as error:
        raise WarpLensError(f"{path} does not start: {error.strerror}", 3) from error


def checked(done: Done) -> Done:
    """The same, or the program's own message as an exception."""
    if done.returncode != 0:
        raise error_of(done)
    return done


def messages(done: Done) -> list[str]:
    """What the program said to people, a sentence or a few each."""
    lines = [line[len("warplens: "):] if line.startswith("warplens: ") else line for line in done.stderr.splitlines()]
    return [line for line in lines if line]


def error_of(done: Done) -> WarpLensError:
    message = "\n".join(messages(done))
    if done.returncode < 0:
        message = f"the program was ended by signal {-done.returncode}. {message}".strip()
    return WarpLensError(message or f"the program ended with status {done.returncode}", done.returncode)
