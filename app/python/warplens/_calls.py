"""The program's commands as functions."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._picture import Picture
from ._program import WarpLensError, call, checked, error_of, messages
from ._report import Array, Recording, Report, Sweep

Size = Union[int, str, Sequence[int]]
Image = Union[str, "os.PathLike[str]", Array]


def _size(size: Size) -> str:
    if isinstance(size, (str, int, np.integer)):
        return str(size)
    return ",".join(str(int(part)) for part in size)


def _write_image(image: Array, folder: str) -> str:
    """A picture as PNM: (height, width) grey or (height, width, 3) of bytes."""
    if image.dtype != np.uint8 or not (image.ndim == 2 or (image.ndim == 3 and image.shape[2] == 3)) or image.size == 0:
        raise WarpLensError("a picture is an array of uint8 with the shape (height, width) or (height, width, 3); this "
                            f"one is {image.dtype} with the shape {image.shape}", 2)
    path = os.path.join(folder, "image.pnm")
    with open(path, "wb") as file:
        file.write(b"P%d\n%d %d\n255\n" % (5 if image.ndim == 2 else 6, image.shape[1], image.shape[0]))
        file.write(np.ascontiguousarray(image).tobytes())
    return path


def _options(folder: str, *, device: Optional[str], grid: Optional[Size], block: Optional[Size], shared: Optional[int],
             image: Optional[Image], values: Optional[Mapping[str, float]], entry: Optional[str],
             data_seed: Optional[int]) -> list[str]:
    options = []
    for name, value in (("--device", device), ("--grid", None if grid is None else _size(grid)),
                        ("--block", None if block is None else _size(block)), ("--shared", shared), ("--entry", entry),
                        ("--data-seed", data_seed)):
        if value is not None:
            options += [name, str(value)]
    for name, number in (values or {}).items():
        options += ["--set", f"{name}={number}"]
    if image is not None:
        options += ["--image", _write_image(image, folder) if isinstance(image, np.ndarray) else os.fspath(image)]
    return options


def run(kernel: Union[str, "os.PathLike[str]"], *, device: Optional[str] = None, grid: Optional[Size] = None,
        block: Optional[Size] = None, shared: Optional[int] = None, image: Optional[Image] = None,
        values: Optional[Mapping[str, float]] = None, entry: Optional[str] = None, data_seed: Optional[int] = None,
        seed: Optional[int] = None, observe: Optional[str] = None, sanitize: Optional[str] = None, check: bool = False,
        repeat: Optional[int] = None, recorded: Optional[int] = None) -> Report:
    """Runs a built-in kernel, a FILE.cu, FILE.ptx, a launch file or launch number `recorded` of a recording, and gives
    the report with the arrays it wrote.

    `values` are the kernel's numbers ({"n": 1000}); `image` is a file, a sample's name or an array of bytes. A fault or
    a launch that CUDA would refuse is no exception: `report.status` says so.
    """
    with tempfile.TemporaryDirectory(prefix="warplens-") as folder:
        arguments = ["run", os.fspath(kernel), "--json", "-", "--outputs", os.path.join(folder, "outputs")]
        arguments += _options(folder, device=device, grid=grid, block=block, shared=shared, image=image, values=values,
                              entry=entry, data_seed=data_seed)
        for name, value in (("--seed", seed), ("--observe", observe), ("--sanitize", sanitize), ("--repeat", repeat),
                            ("--recorded", recorded)):
            if value is not None:
                arguments += [name, str(value)]
        if check:
            arguments.append("--check")
        done = call(arguments)
        if not done.stdout:
            raise error_of(done)
        outputs = {path.stem: np.load(path) for path in sorted(Path(folder, "outputs").glob("*.npy"))}
        said = [message for message in messages(done) if folder not in message]  # users do not know our folder
        return Report(json.loads(done.stdout), outputs, said)


def sweep(kernel: Union[str, "os.PathLike[str]"], *, blocks: Optional[Sequence[Size]] = None,
          sizes: Optional[Sequence[int]] = None, device: Optional[str] = None, image: Optional[Image] = None,
          values: Optional[Mapping[str, float]] = None, entry: Optional[str] = None) -> list[Sweep]:
    """Compares block shapes, sizes, or both. Without either it tries the usual shapes."""
    with tempfile.TemporaryDirectory(prefix="warplens-") as folder:
        arguments = ["sweep", os.fspath(kernel), "--json"]
        if blocks is not None:
            arguments += ["--blocks", ",".join(_size(block).replace(",", "x") for block in blocks)]
        if sizes is not None:
            arguments += ["--sizes", ",".join(str(int(size)) for size in sizes)]
        arguments += _options(folder, device=device, grid=None, block=None, shared=None, image=image, values=values,
                              entry=entry, data_seed=None)
        done = call(arguments)
        if not done.stdout:
            raise error_of(done)
        return [Sweep(one) for one in json.loads(done.stdout)["sweeps"]]


def render(view: str, kernel: Union[str, "os.PathLike[str]"] = "grayscale", *, device: Optional[str] = None,
           grid: Optional[Size] = None, block: Optional[Size] = None, shared: Optional[int] = None,
           image: Optional[Image] = None, values: Optional[Mapping[str, float]] = None, entry: Optional[str] = None,
           data_seed: Optional[int] = None, size: Optional[Sequence[int]] = None, theme: Optional[str] = None,
           text: Optional[int] = None, **more: Any) -> Picture:
    """A view of a run as a picture: grid, image, memory, occupancy, step, timing, … Further options are those of
    `warplens render`, as in render("grid", level="warp", at=(1, 0))."""
    with tempfile.TemporaryDirectory(prefix="warplens-") as folder:
        path = os.path.join(folder, "picture.svg")
        arguments = ["render", view, os.fspath(kernel), "--out", path]
        arguments += _options(folder, device=device, grid=grid, block=block, shared=shared, image=image, values=values,
                              entry=entry, data_seed=data_seed)
        if size is not None:
            arguments += ["--size", "x".join(str(int(part)) for part in size)]
        for name, value in {"theme": theme, "text": text, **more}.items():
            if value is not None:
                arguments += [f"--{name.replace('_', '-')}", _size(value)]
        checked(call(arguments))
        return Picture(Path(path).read_text(encoding="utf-8"), view)


def read_recording(path: Union[str, "os.PathLike[str]"]) -> Recording:
    """A recording that `warplens program --record FILE` wrote. run(path, recorded=N) runs one of its launches again."""
    return Recording(json.loads(checked(call(["recording", os.fspath(path), "--json", "-"])).stdout))


def _listed(command: str, what: str) -> list[dict[str, Any]]:
    return list(json.loads(checked(call([command, "--json"])).stdout)[what])


def kernels() -> list[dict[str, Any]]:
    """The built-in kernels, and the values that they take."""
    return _listed("kernels", "kernels")


def devices() -> list[dict[str, Any]]:
    """The devices that can be named: GPUs of this machine first, then the virtual ones."""
    return _listed("devices", "devices")


def doctor() -> list[dict[str, Any]]:
    """What was found on this machine, what is missing, and what to do about it."""
    return _listed("doctor", "parts")
