"""Reads every include and holds it to layers.json: each layer includes only the layers that its row names, all of
them stand above it in the table, and no folder includes its way back to itself.

  layers_test.py            fails where an include or the table of ARCHITECTURE.md is wrong
  layers_test.py --write    writes that table anew
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("layers.json")
PAGE = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- layers: made from tests/tools/layers.json by tests/tools/layers_test.py --write -->", "<!-- /layers -->"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def includes():
    """Every include of our code: file, line, what is included."""
    for top in ("core", "cuda", "app"):
        for path in sorted((ROOT / top).rglob("*")):
            # The built-in kernels are CUDA programs of their own.
            if path.suffix not in {".h", ".cpp", ".def"} or top == "cuda" and "kernels" in path.parts:
                continue
            name = path.relative_to(ROOT).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if found := INCLUDE.match(line):
                    yield name, number, found.group(1)


def pattern_of(row):
    """What the names of a layer's files begin with, without their endings; * is one name of a path."""
    return re.compile("([^/]*)".join(re.escape(part) for part in row["folder"].split("*")) + "(?=/|$)")


def layer_of(name, layers):
    """The layer of a file, and what the first * of its folder stands for; (None, None): no layer's."""
    found = ((row["folder"], match) for row in layers if (match := pattern_of(row).match(name.rpartition(".")[0])))
    folder, match = max(found, key=lambda pair: (len(pair[1].group()), -pair[0].count("*")), default=(None, None))
    return folder, match.group(1) if match and match.groups() else None


def matches(seen, folder, order):
    """Whether an entry of a row means this layer. "core", which is no layer itself, means all layers in core."""
    return folder == seen or seen not in order and folder.startswith(seen + "/")


def cycles(edges):
    """Groups of folders that include each other in a circle (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def violations(table, lines):
    layers, libraries = table["layers"], {name: re.compile(p) for name, p in table["libraries"].items()}
    order = [row["folder"] for row in layers]
    rows = {row["folder"]: row for row in layers}
    for row in layers:
        for seen in row["sees"]:
            meant = [order.index(folder) for folder in order if matches(seen, folder, order)]
            if not meant:
                yield f"layers.json: {row['folder']} sees {seen}, which is no layer"
            elif max(meant) >= order.index(row["folder"]):
                yield f"layers.json: {row['folder']} sees {seen}, which does not stand above it"
    used, edges = set(), {}
    for name, number, what in lines:
        (layer, member), (other, other_member) = layer_of(name, layers), layer_of(what, layers)
        if layer is None:
            yield f"{name}: no layer of layers.json holds this folder"
            continue
        if other is not None:
            if other != layer:
                used.add((layer, other))
                if not any(matches(seen, other, order) for seen in rows[layer]["sees"]):
                    yield f"{name}:{number}: {layer} must not include {what}"
            if member and other_member and member != other_member:
                yield f"{name}:{number}: {member} must not include {what}: what several use belongs below them"
            here, there = name.rpartition("/")[0], what.rpartition("/")[0]
            if here != there:
                edges.setdefault(here, set()).add(there)
        for library, pattern in libraries.items():
            if pattern.search(what):
                used.add((layer, library))
                if library not in rows[layer].get("uses", []):
                    yield f"{name}:{number}: {layer} must not include {what} ({library})"
    for row in layers:
        for other in row["sees"] + row.get("uses", []):
            if not any(layer == row["folder"] and matches(other, what, order) for layer, what in used):
                yield f"layers.json: {row['folder']} includes nothing of {other}: take it out of its row"
    for group in cycles(edges):
        yield "these folders include each other in a circle: " + ", ".join(group)


def page_table(table):
    text = ["| layer, each sees only layers above it | what it is for | sees |", "|---|---|---|"]
    for row in table["layers"]:
        sees = ", ".join(f"`{name}`" for name in row["sees"]) or "–"
        if row.get("uses"):
            sees += "; " + ", ".join(row["uses"])
        text.append(f"| `{row['folder']}` | {row['holds']} | {sees} |")
    return "\n".join([BEGIN, ""] + text + ["", END])


def self_test():
    """The checker finds what it is for; one that finds nothing would pass for ever."""
    table = {"libraries": {"CUDA": r"^cuda\.h$"},
             "layers": [{"folder": "a", "sees": []}, {"folder": "b", "sees": ["a"]}, {"folder": "b/c", "sees": ["b"]},
                        {"folder": "v/*", "sees": []}, {"folder": "v/*/panel", "sees": ["v/*"]}]}
    good = [("b/x.h", 1, "a/y.h"), ("b/c/x.h", 1, "b/y.h"), ("a/x.h", 2, "vector"),
            ("v/p/panel.h", 1, "v/p/model.h")]
    assert not list(violations(table, good))
    for bad, words in ((("a/x.h", 1, "b/y.h"), "must not include b/y.h"), (("a/x.h", 1, "cuda.h"), "(CUDA)"),
                       (("d/x.h", 1, "a/y.h"), "no layer"), (("b/x.h", 2, "b/c/z.h"), "must not include b/c/z.h"),
                       (("v/p/model.h", 1, "v/p/panel.h"), "must not include v/p/panel.h"),
                       (("v/p/model.h", 1, "v/q/model.h"), "what several use")):
        assert any(words in line for line in violations(table, good + [bad])), bad
    assert any("includes nothing of a" in line for line in violations(table, good[1:]))
    inside = [("a/p/x.h", 1, "a/q/y.h"), ("a/q/y.h", 1, "a/r/z.h"), ("a/r/z.h", 1, "a/p/x.h")]
    assert any("circle: a/p, a/q, a/r" in line for line in violations(table, good + inside))
    table["layers"][0]["sees"] = ["b"]
    assert any("does not stand above" in line for line in violations(table, good))


def main():
    self_test()
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    page = PAGE.read_text(encoding="utf-8")
    begin, end = page.index(BEGIN), page.index(END) + len(END)
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page[:begin] + page_table(table) + page[end:], encoding="utf-8")
        return 0
    lines = list(includes())
    found = list(violations(table, lines))
    if page[begin:end] != page_table(table):
        found.append("ARCHITECTURE.md: its table of layers is not that of layers.json; tests/tools/layers_test.py --write")
    print("\n".join(found) or f"all {len(lines)} includes point the right way")
    return 1 if found else 0


sys.exit(main())
