"""What a run or a sweep said, as dictionaries and NumPy arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, Optional, Union

import numpy as np

from ._program import WarpLensError

Path = Union[str, "os.PathLike[str]"]
Array = np.ndarray[Any, Any]


class _Document(Mapping[str, Any]):
    """A JSON object that is read like a dictionary."""

    def __init__(self, data: dict[str, Any]):
        self._data = data

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def to_dict(self) -> dict[str, Any]:
        """All of it, as json.load gives it."""
        return self._data


class Report(_Document):
    """The report of a run: its keys are those of `warplens run --json`. A number that is not known is None.

    `outputs` has the arrays that the kernel wrote, by name, and `messages` what the program said beside; they are empty
    where a report was read from a file, and the arrays where the kernel did not run to its end.
    """

    def __init__(self, data: dict[str, Any], outputs: Optional[dict[str, Array]] = None,
                 messages: Optional[list[str]] = None):
        super().__init__(data)
        self.outputs: dict[str, Array] = outputs or {}
        self.messages: list[str] = messages or []

    @property
    def status(self) -> str:
        """ok, fault, check_failed, refused or cancelled."""
        return str(self["status"])

    @property
    def ok(self) -> bool:
        """Whether it ran to its end and all checks passed."""
        return self.status == "ok"

    def __repr__(self) -> str:
        return f"<Report of {self['kernel']} on {self['device']['name']}: {self.status}>"

    def __str__(self) -> str:
        lines = [f"{self['kernel']} on {self['device']['name']}: {self.status}"]
        if self.status in ("refused", "cancelled"):
            lines += [f"  {message}" for message in self.messages]
            return "\n".join(lines)
        lines += [f"  {fault['message']}" for fault in self["faults"]]
        lines += [f"  ! {warning['message']}" for warning in self["warnings"] if not warning.get("quiet")]
        return "\n".join(lines)


class Sweep(_Document):
    """One sweep over block shapes or sizes: its keys are those of an entry of `sweeps` of `warplens sweep --json`."""

    @property
    def points(self) -> list[dict[str, Any]]:
        """What was tried, in the order of the sweep."""
        return list(self["points"])

    @property
    def best(self) -> Optional[dict[str, Any]]:
        """The fastest point. None if no point has a time."""
        return None if self["best"] is None else self.points[self["best"]]

    def column(self, name: str) -> Array:
        """A number of every point, `kernel_us.value` for one inside another. Unknown ones are NaN."""
        values = []
        for point in self.points:
            value: Any = point
            for part in name.split("."):
                if value is None:
                    break
                if not isinstance(value, dict):
                    raise KeyError(f"{name}: there is nothing inside {value!r}")
                if part not in value:
                    raise KeyError(f"{name}: a point has no {part}; it has {', '.join(value)}")
                value = value[part]
            values.append(np.nan if value is None else value)
        return np.array(values)

    def __repr__(self) -> str:
        return f"<Sweep of {self['kernel']} over {self['kind']}: {len(self.points)} points>"

    def __str__(self) -> str:
        return str(self["sentence"])


class Recording(_Document):
    """What a program did, by `warplens program --record`: the keys are those of `warplens recording --json`."""

    @property
    def events(self) -> list[dict[str, Any]]:
        """Allocations, copies, modules and launches, in the order of the program."""
        return list(self["events"])

    def of(self, event: str) -> list[dict[str, Any]]:
        """The events of one kind: "launch", "copy", "allocate", "module"."""
        return [one for one in self.events if one["event"] == event]

    def column(self, event: str, name: str) -> Array:
        """A number of each event of one kind, such as column("copy", "bytes"). Unknown ones are NaN."""
        values = [one.get(name) for one in self.of(event)]
        return np.array([np.nan if value is None else value for value in values])

    def __repr__(self) -> str:
        return f"<Recording: {len(self.of('launch'))} launches, {len(self.of('copy'))} copies>"


def _read(path: Path, what: str, kind: type) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except OSError as error:
        raise WarpLensError(f"{os.fspath(path)}: {error.strerror}", 2) from error
    except (ValueError, RecursionError) as error:
        raise WarpLensError(f"{os.fspath(path)} is no JSON: {error}", 2) from error
    if not isinstance(data, dict) or data.get("schema") != 1 or not isinstance(data.get(what), kind):
        raise WarpLensError(f"{os.fspath(path)} is not what this version reads: it has no `{what}`, or another schema "
                            "than 1. Write it with `warplens run --json` or `warplens sweep --json`.", 2)
    return data


def read_report(path: Path) -> Report:
    """A report that `warplens run --json FILE` wrote."""
    return Report(_read(path, "counters", dict))


def read_sweep(path: Path) -> list[Sweep]:
    """The sweeps that `warplens sweep --json` printed."""
    sweeps = _read(path, "sweeps", list)["sweeps"]
    if not all(isinstance(one, dict) and isinstance(one.get("points"), list) for one in sweeps):
        raise WarpLensError(f"{os.fspath(path)} is not what this version reads: one of its sweeps has no `points`.", 2)
    return [Sweep(one) for one in sweeps]
