"""Looks into what was compiled for the page (warplens.compiled, gzip): that all of the course is there, and that none of it is
code of NVIDIA's libraries, which the page may not bring.

    compiled_test.py WARPLENS_COMPILED
"""
import gzip
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Names of cuRAND, CUB, Thrust and libcu++ as they are in PTX, and their source files that its lines refer to.
OF_LIBRARIES = re.compile(rb"curand|_ZN3cub|_ZN6thrust|_ZN4cuda3std|\.file\s+\d+\s+\"[^\"]*/(?:curand|cub|thrust)[^\"]*\"", re.IGNORECASE)
LEAST_SHARE = 0.95  # of the sources: some are there only to say that they do not compile


def records(content):
    """Each compilation: the name of its source, whether it compiled, its PTX."""
    head = b"warplens compiled 1\n"
    if not content.startswith(head):
        raise SystemExit("compiled_test: this file does not begin as one of its version does")
    at = len(head)
    while at < len(content) and content[at:at + 2] == b"c ":
        end = content.index(b"\n", at)
        numbers = [int(word) for word in content[at + 2:end].split()]
        name, log, ptx = numbers[-3:]
        begin = end + 1
        yield content[begin:begin + name].decode(), numbers[3] == 1, content[begin + name + log:begin + name + log + ptx]
        at = begin + name + log + ptx + 1


def foreign(ptx):
    found = OF_LIBRARIES.search(ptx)
    return found[0].decode() if found else ""


def main():
    for known in (b'.func _ZN3cub11BlockReduce', b'call curand_init', b'\t.file\t3 "/usr/include/thrust/sort.h"'):
        assert foreign(known), f"{known} is not known as a library's"
    content = gzip.decompress(pathlib.Path(sys.argv[1]).read_bytes())
    failures, compiled = [], 0
    for name, ok, ptx in records(content):
        compiled += ok
        if word := foreign(ptx):
            failures.append(f"{name} has code of a library: {word}")
    for path in sorted((ROOT / "tests/data/golden/ptx").glob("*.ptx")):
        if word := foreign(path.read_bytes()):
            failures.append(f"{path.name} has code of a library: {word}")
    sources = len(list((ROOT / "assets").glob("*/*/*.cu")))
    if compiled < LEAST_SHARE * sources:
        failures.append(f"of {sources} sources of the course {compiled} compilations are there")
    for failure in failures:
        print("FAILED:", failure)
    print(f"{compiled} compilations of {sources} sources of the course and the kernels, none with code of NVIDIA's libraries"
          if not failures else f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
