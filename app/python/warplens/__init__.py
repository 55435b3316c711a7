"""WarpLens from Python: run kernels on the virtual GPU or a real one, and read what came out.

>>> import warplens
>>> report = warplens.run("vector_add", values={"n": 1000}, block=128)
>>> report["counters"]["global_load_sectors"]
250
>>> report.outputs["out"]
array([...], dtype=float32)

Everything is done by the program that the package brings, as `warplens run --json` does it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._program import WarpLensError, program, version

if TYPE_CHECKING:
    from ._calls import devices, doctor, kernels, read_recording, render, run, sweep
    from ._picture import Picture
    from ._report import Recording, Report, Sweep, read_report, read_sweep

# Loaded when they are first used: they need NumPy, and the command `warplens` does not.
_LATER = {"_calls": ("devices", "doctor", "kernels", "read_recording", "render", "run", "sweep"),
          "_picture": ("Picture",),
          "_report": ("Recording", "Report", "Sweep", "read_report", "read_sweep")}

__version__ = version()
__all__ = ["Picture", "Recording", "Report", "Sweep", "WarpLensError", "devices", "doctor", "kernels", "program",
           "read_recording", "read_report", "read_sweep", "render", "run", "sweep", "version"]


def __getattr__(name: str) -> Any:
    for module, names in _LATER.items():
        if name in names:
            return getattr(importlib.import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
