"""Whoever reads a warp's registers is compiled without strict aliasing: a frame holds registers of all types."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTION = "-fno-strict-aliasing"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
READS = re.compile(r"(\.|->)(reg<|predicate\()")  # Warp::reg and Warp::predicate
texts = {}


def text_of(path):
    if path not in texts:
        file = ROOT / path
        texts[path] = file.read_text(encoding="utf-8") if file.is_file() else ""
    return texts[path]


def with_includes(path):
    """The file and the project's own files that it includes, directly or not."""
    found, left = set(), [path]
    while left:
        here = left.pop()
        if here not in found:
            found.add(here)
            left += INCLUDE.findall(text_of(here))
    return found


def reads_registers(path):
    files = with_includes(path)
    return "core/gpu/exec/state/warp.h" in files and any(READS.search(text_of(file)) for file in files)


def compiled(command):
    """The project's own files of a command; where several are compiled in one go, those that it includes."""
    file = pathlib.Path(command["file"])
    files = INCLUDE.findall(file.read_text(encoding="utf-8")) if "Unity" in file.parts else [file]
    return [str(pathlib.Path(f).relative_to(ROOT)) for f in files if pathlib.Path(f).is_relative_to(ROOT)]


def main(binary):
    commands = json.loads((pathlib.Path(binary).resolve().parent / "compile_commands.json").read_text(encoding="utf-8"))
    checked, wrong = 0, []
    for command, path in ((command, path) for command in commands for path in compiled(command)):
        if not path.startswith("core/") and not reads_registers(path):
            continue
        checked += 1
        if OPTION not in command["command"].split():
            wrong.append(f"{path} is compiled without {OPTION}: see cmake/compiler.cmake")
    # A check of nothing would pass forever.
    assert checked > 100 and reads_registers("core/gpu/exec/control/barrier.cpp") and not reads_registers("app/main.cpp"), checked
    print("\n".join(wrong) or f"{checked} files are compiled with {OPTION}")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1]))
