"""Every path that our texts and comments name is there: in the pages, what stands in backticks or behind a link; in the
sources, what a comment names from the root of the repository.

core/launch may be a folder, a file, or a file without its ending. A * is any part of one name, and so is a word in
capitals, as in tests/data/ptx/OPCODE.cases: something has to fit it.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOPS = ("app", "assets", "cmake", "core", "cuda", "docs", "shaders", "tests", "tools")
PATH = re.compile(r"(?<![\w/.~$}-])(?:" + "|".join(TOPS) + r")/[\w./*-]*[\w*]")
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)")
BARE = re.compile(r"[\w*]+\.(?:h|cpp|def)")
OTHERS = {"cuda_occupancy.h", "cublas.h", "cublas_v2.h", "curand.h", "curand_kernel.h"}  # files that are not ours
COMMENT = {".h": "//", ".cpp": "//", ".def": "//", ".cu": "//", ".frag": "//", ".vert": "//", ".py": "#", ".sh": "#",
           ".cmake": "#", "": "#"}


def everything():
    """The names of all files and folders below the root, without what is built."""
    names = {path.name for path in ROOT.iterdir() if path.is_file()}
    for top in TOPS:
        names.add(top)
        names.update(path.relative_to(ROOT).as_posix() for path in (ROOT / top).rglob("*")
                     if "__pycache__" not in path.parts)
    return names


class Names:
    def __init__(self, names):
        self.names = names
        self.all = names | {name.rpartition(".")[0] for name in names}
        self.bare = {name.rpartition("/")[2] for name in names}

    def has(self, path, among=None):
        among = self.all if among is None else among
        if path in among:
            return True
        pattern = re.sub(r"[A-Z]{2,}", "*", path)
        if "*" not in pattern:
            return False
        wanted = re.compile("[^/]*".join(re.escape(part) for part in re.split(r"\*+", pattern)) + "$")
        return any(wanted.match(name) for name in among)

    def wrong_in_page(self, page, text):
        """Line and path of each that is not there."""
        folder = pathlib.PurePosixPath(page).parent
        for number, line in enumerate(text.splitlines(), 1):
            for code in CODE.findall(line):
                found = [path for path in PATH.findall(code) if not self.has(path)]
                if BARE.fullmatch(code) and code not in OTHERS and not self.has(code, self.bare):
                    found.append(code)
                yield from ((number, path) for path in found)
            for link in LINK.findall(line):
                if not (ROOT / folder / link).exists():
                    yield number, link

    def wrong_in_source(self, name, text):
        mark = COMMENT[pathlib.PurePosixPath(name).suffix]
        for number, line in enumerate(text.splitlines(), 1):
            for path in PATH.findall(line.partition(mark)[2]):
                if not self.has(path):
                    yield number, path


def wrong(names):
    for name in sorted(names.names):
        path = ROOT / name
        if not path.is_file() or "/golden/" in name or "/corpus/" in name:
            continue
        if path.suffix == ".md":
            found = names.wrong_in_page(name, path.read_text(encoding="utf-8", errors="replace"))
        elif path.suffix in COMMENT:
            found = names.wrong_in_source(name, path.read_text(encoding="utf-8", errors="replace"))
        else:
            continue
        for number, what in found:
            yield f"{name}:{number}: {what} is not there"


def self_test():
    """The checker finds what it is for; one that finds nothing would pass for ever."""
    names = Names({"core/a/b.h", "core/a", "core", "tests/data/ptx/add.cases", "README.md"})
    good = ["`core/a/b.h`", "`core/a/b`", "`core/a`", "`core/*/b.h`", "`tests/data/ptx/OPCODE.cases`", "`b.h`", "`other/b.h`"]
    bad = ["`core/a/c.h`", "`core/b`", "`core/*/c.h`", "`tests/data/ptx/OPCODE.warp`", "`c.h`", "`run core/c.h now`",
           "[x](no/page.md#here)"]
    for text in good:
        assert not list(names.wrong_in_page("README.md", text)), text
    for text in bad:
        assert list(names.wrong_in_page("README.md", text)), text
    assert list(names.wrong_in_source("core/a/b.h", "int x;  // as in core/c.h."))
    assert not list(names.wrong_in_source("core/a/b.h", 'int x = "core/c.h";  // as in core/a/b.h.'))


def main():
    self_test()
    found = list(wrong(Names(everything())))
    print("\n".join(found) or "every path that is named is there")
    return 1 if found else 0


sys.exit(main())
