"""A view as a picture, which a notebook shows."""

from __future__ import annotations

import itertools
import os
import re
from typing import Union

_numbers = itertools.count()
_NAME = re.compile(r'((?:\bid="|href="#|url\(#))')


class Picture:
    """An SVG picture of a view. In a Jupyter notebook it shows itself; save() writes it."""

    def __init__(self, svg: str, view: str):
        self.svg = svg
        self.view = view
        # All pictures of a page share one space of names, and each picture begins to count its own at 0.
        self._prefix = f"warplens{next(_numbers)}-"

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes it as an SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return _NAME.sub(lambda match: match.group(1) + self._prefix, self.svg)

    def __repr__(self) -> str:
        return f"<Picture of the {self.view} view>"
