"""The tables tests/data/ptx/*.cases: reading, writing, and the kernel around a form. Their format: tests/data/ptx/README.md; the
same in C++: tests/core/gpu/exec/ptx_case.cpp.

    ptx_tables.py DIR     writes a kernel of each table into DIR, for tools/fuzz to begin with
"""
import pathlib
import re
import sys
from dataclasses import dataclass, field

TARGET = ("7.8", "sm_80")


class TableError(Exception):
    """What is wrong with a table, and in which line."""


@dataclass
class Row:
    operands: list  # hexadecimal, as they stand in the file
    results: list  # "?" where nothing is recorded yet
    mark: str = ":"


@dataclass
class Case:
    name: str
    ins: list = field(default_factory=list)  # bytes of each operand of a lane
    outs: list = field(default_factory=list)
    code: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    declare: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # "within …", "variants …", for the C++ tests only
    texture: str = ""
    target: tuple = TARGET

    def lines(self):
        yield f"form {self.name}"
        yield " ".join(["in", *map(str, self.ins)])
        yield " ".join(["out", *map(str, self.outs)])
        if self.target != TARGET:
            yield " ".join(["target", *self.target])
        yield from (f"declare {line}" for line in self.declare)
        if self.texture:
            yield f"texture {self.texture}"
        yield from self.notes
        yield from (f"  {line}" for line in self.code)
        yield from (" ".join([row.mark, *row.operands, "=", *row.results]) for row in self.rows)

    def kernel(self, name="test"):
        """The functions of the module, without its head."""
        in_at, in_stride = offsets(self.ins)
        out_at, out_stride = offsets(self.outs)
        more = ", .param .u64 texture" * bool(self.texture)
        lines = [*self.declare, f".visible .entry {name}(.param .u64 in, .param .u64 out, .param .u32 mask{more})", "{"]
        names = {2: [], 4: [], 8: []}
        for letter, sizes in (("x", self.ins), ("y", self.outs)):
            for i, size in enumerate(sizes):
                names[size].append(f"%{letter}{i}")
        names[2] += ["%h"]
        names[4] += ["%thread", "%bit", "%t", "%u", "%w"]
        names[8] += ["%in", "%out", "%z"]
        lines += [f"  .reg .b{8 * size} {', '.join(group)};" for size, group in names.items()]
        lines += ["  .reg .pred %guard, %p, %q, %c;",
                  "  ld.param.u64 %in, [in];",
                  "  ld.param.u64 %out, [out];",
                  "  ld.param.u32 %bit, [mask];",
                  "  mov.u32 %thread, %tid.x;",
                  "  and.b32 %t, %thread, 31;",
                  "  shr.u32 %bit, %bit, %t;",
                  "  and.b32 %bit, %bit, 1;",
                  "  setp.ne.u32 %guard, %bit, 0;",
                  f"  mad.wide.u32 %in, %thread, {in_stride}, %in;",
                  f"  mad.wide.u32 %out, %thread, {out_stride}, %out;"]
        lines += [f"  ld.global.b{8 * size} %x{i}, [%in+{at}];" for i, (size, at) in enumerate(zip(self.ins, in_at))]
        lines += [f"  ld.global.b{8 * size} %y{i}, [%out+{at}];" for i, (size, at) in enumerate(zip(self.outs, out_at))]
        lines += ["  ld.param.u64 %z, [texture];"] * bool(self.texture)
        lines += [f"  {line}" for line in self.code]
        lines += [f"  st.global.b{8 * size} [%out+{at}], %y{i};" for i, (size, at) in enumerate(zip(self.outs, out_at))]
        return "\n".join([*lines, "  ret;", "}", ""])

    def module(self):
        return f".version {self.target[0]}\n.target {self.target[1]}\n.address_size 64\n\n{self.kernel()}"

    def is_recorded(self):
        return all("?" not in row.results for row in self.rows)

    def asks_the_same(self, other):
        return self.module() == other.module() and [row.operands for row in self.rows] == [row.operands for row in other.rows]


def offsets(sizes):
    """Where each value of a lane lies, and how far the lanes lie apart."""
    at, places = 0, []
    for size in sizes:
        at = (at + size - 1) // size * size
        places.append(at)
        at += size
    return places, (at + 7) // 8 * 8


def read_row(case, line):
    mark, *words = line.split()
    if "=" not in words:
        raise TableError("a row is ': operands = results'")
    operands, results = words[:words.index("=")], words[words.index("=") + 1:]
    for what, values, sizes in (("operands", operands, case.ins), ("results", results, case.outs)):
        if len(values) != len(sizes):
            raise TableError(f"{len(values)} {what}, but the form has {len(sizes)}")
        for value, size in zip(values, sizes):
            if not re.fullmatch(f"[0-9a-f]{{{2 * size}}}", value) and (what, value) != ("results", "?"):
                raise TableError(f"'{value}' is no number of {2 * size} hexadecimal digits")
    case.rows.append(Row(operands, results, mark))


def read_line(cases, line):
    word, _, rest = line.partition(" ")
    if word == "form":
        if any(case.name == rest for case in cases):
            raise TableError(f"a second form {rest}")
        cases.append(Case(rest))
    elif not cases:
        raise TableError("this stands before the first 'form NAME'")
    elif line.startswith("  "):
        cases[-1].code.append(line[2:])
    elif word in (":", "~"):
        read_row(cases[-1], line)
    elif word in ("in", "out"):
        setattr(cases[-1], word + "s", [int(size) for size in rest.split()])
    elif word == "target":
        cases[-1].target = tuple(rest.split())
    elif word == "declare":
        cases[-1].declare.append(rest)
    elif word == "texture":
        cases[-1].texture = rest
    elif word in ("within", "variants"):
        cases[-1].notes.append(line)
    else:
        raise TableError(f"no line begins with '{word}'")


def read_text(text, name):
    cases = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        try:
            read_line(cases, line)
        except (TableError, ValueError) as error:
            raise TableError(f"{name}:{number}: {error}") from None
    return cases


def read_table(path):
    return read_text(path.read_text(), path)


def read_tables(root):
    """'add/bf16' -> its case, for all forms of all tables."""
    return {f"{path.stem}/{case.name}": case for path in sorted(root.glob("*.cases")) for case in read_table(path)}


def table_text(opcode, cases):
    head = f"# Forms of {opcode}, and what an NVIDIA H200 answered. README.md explains the lines.\n"
    return "\n".join([head, *("".join(f"{line}\n" for line in case.lines()) for case in cases)])


def write_tables(root, cases):
    """All forms, by the names that read_tables gives them."""
    tables = {}
    for name, case in cases.items():
        tables.setdefault(name.split("/")[0], []).append(case)
    root.mkdir(parents=True, exist_ok=True)
    for opcode, forms in tables.items():
        (root / f"{opcode}.cases").write_text(table_text(opcode, forms))


def main():
    root = pathlib.Path(__file__).resolve().parents[1] / "ptx"
    for path in sorted(root.glob("*.cases")):
        pathlib.Path(sys.argv[1], f"{path.stem}.ptx").write_text(read_table(path)[0].module())


if __name__ == "__main__":
    main()
