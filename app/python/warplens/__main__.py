"""`warplens` and `python -m warplens`: the program itself."""

import os
import sys

from ._program import WarpLensError, environment, program


def main() -> int:
    if sys.argv[1:2] == ["serve"]:
        from .serve.__main__ import main as serve  # whose packages are not installed everywhere

        return serve(sys.argv[2:])
    try:
        path = program()
        os.execve(path, ["warplens", *sys.argv[1:]], environment())
    except (WarpLensError, OSError) as error:
        print(f"warplens: {error}", file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main())
