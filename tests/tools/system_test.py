"""The operating system is asked in one folder (system.json: "seam"): no other file of ours includes one of its headers,
calls it, asks for which system it is compiled, or reads what only one system has.

system.json lists the headers, calls, macros and paths; the folders that stand outside of the seam for good, and why; and
files that may use something, each with what that is. A row that is no longer needed fails the test as well.

  system_test.py            fails where the system is asked elsewhere
  system_test.py --list     prints what each file uses, as rows of exceptions
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("system.json")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
# A comment, or a text: raw, plain or one character. Text in a comment is no call.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def sources(table):
    """Every file of ours in the seam's reach: its name and its text."""
    for top in table["tops"]:
        for path in sorted((ROOT / top).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            # The built-in kernels are CUDA programs of their own.
            if path.suffix in {".h", ".cpp", ".def"} and not name.startswith("cuda/kernels/"):
                yield name, path.read_text(encoding="utf-8")


def used(text, table):
    """What a file uses of the system."""
    found = set()
    headers = re.compile(table["headers"])
    for header in INCLUDE.findall(text):
        if headers.search(header):
            found.add(f"<{header}>")
    texts = []

    def blank(match):
        if match.group().startswith(("//", "/*")):
            return " "
        texts.append(match.group())
        return '""'

    code = TOKEN.sub(blank, INCLUDE.sub("", text))
    for call in table["calls"]:
        if re.search(rf"(?<![\w.>])(?<!\w::){call}[ \t]*\(", code):
            found.add(f"{call}()")
    # These are also words of ours: they are certainly the system's only with :: before them.
    for call in table["calls_with_colons"]:
        if re.search(rf"(?<![\w>])::{call}[ \t]*\(", code):
            found.add(f"::{call}()")
    for macro in table["macros"]:
        if re.search(rf"\b{macro}\b", code):
            found.add(macro)
    for path in table["paths"]:
        if any(path in piece for piece in texts):
            found.add(path)
    return found


def violations(table, files):
    allowed, outside = table["exceptions"], set(table["outside"])
    seen, needed = set(), set()
    for name, text in files:
        seen.add(name)
        if name.startswith(table["seam"] + "/"):
            continue
        uses, may = used(text, table), set(allowed.get(name, []))
        if top := next((folder for folder in outside if name.startswith(folder + "/")), None):
            needed |= {top} if uses else set()
            continue
        for what in sorted(uses - may):
            yield f"{name}: {what} is the system's: it belongs behind {table['front']}"
        for what in sorted(may - uses):
            yield f"system.json: {name} no longer uses {what}: take it out of its row"
    for name in sorted(set(allowed) - seen):
        yield f"system.json: there is no {name}: take its row out"
    for name in sorted(outside - needed):
        yield f"system.json: {name} asks no system: take it out of \"outside\""


def self_test(table):
    """The checker finds what it is for; one that finds nothing would pass for ever."""
    small = dict(table, exceptions={"a/y.cpp": ["<unistd.h>"]}, outside={"b": "for a test"})
    good = [("a/y.cpp", "#include <unistd.h>\n"), ("b/y.cpp", "#include <unistd.h>\n"), (table["seam"] + "/x.cpp", "#include <fcntl.h>\n"),
            ("a/x.cpp", '#include <cerrno>\n// getpid() and "/proc/self"\nfile.open(1); std::remove("a"); 1\'000; say("fork()");')]
    assert not list(violations(small, good)), list(violations(small, good))
    for bad in ("#include <sys/mman.h>", "# include <dlfcn.h>", "x = getpid();", "::open(path)", "#ifdef _WIN32\n#endif",
                'read("/proc/self/maps");', "#include <csignal>", "\tmkdtemp (name);"):
        assert len(list(violations(small, good + [("a/z.cpp", bad)]))) == 1, bad
    assert any("no longer uses <unistd.h>" in line for line in violations(small, [("a/y.cpp", "")] + good[1:]))
    assert any("b asks no system" in line for line in violations(small, good[:1] + good[2:]))
    assert any("there is no a/y.cpp" in line for line in violations(small, good[1:]))


def main():
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    self_test(table)
    files = list(sources(table))
    if sys.argv[1:] == ["--list"]:
        rows = {name: sorted(used(text, table)) for name, text in files
                if not name.startswith(tuple(folder + "/" for folder in (table["seam"], *table["outside"])))}
        print(json.dumps({name: uses for name, uses in rows.items() if uses}, indent=1))
        return 0
    found = list(violations(table, files))
    rows = len(table["exceptions"])
    print("\n".join(found) or f"{len(files)} files, {rows} exceptions: the system is asked nowhere else")
    return 1 if found else 0


sys.exit(main())
