"""Holds every include to the graph of libraries that CMake has: a file includes what stands in its own library or in one that
this library links. No folder includes its way back to itself, and no view includes another one.

  layers_test.py            fails where an include is wrong, or where the picture in ARCHITECTURE.md is another graph's
  layers_test.py --write    draws that picture anew; needs Graphviz
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs/pictures/libraries.svg"
TOPS = ("core", "cuda", "app")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# Other people's headers, and the folders that may include them.
OTHERS = {
    "Dear ImGui": (r"^(imgui|implot|hello_imgui|rich_md|TextEditor|ImGuiColorTextEdit)",
                   r"app/(host|widgets|window)/|app/views/\w+/panel/"),
    "the desktop": (r"^(GLFW/|imgui_impl_glfw|portable_file_dialogs|glad|GL/|KHR/)", r"app/host/"),
    "CUDA": (r"^(cuda|cudaGL|cuda(GL)?Typedefs|nvrtc|nvJitLink|nvml|cublas\w*|cusolver\w*|curand\w*|cuda_runtime\w*|cuda_occupancy|"
             r"cuda_fp16)\.h$", r"cuda/"),
    "cairo": (r"^cairo", r"app/base/draw/cairo/"),
    "the command line": (r"^CLI/", r"app/cli/"),
    "Markdown": (r"^md4c", r"core/markdown/"),
}
STAND_IN = "cuda/stand_in/"
# What is shown of the program itself.
PROGRAM = "warplens"


def configured(folder):
    """CMake's own graph: of each target its folder, its sources and what it links directly."""
    query = folder / ".cmake/api/v1/query/codemodel-v2"
    query.parent.mkdir(parents=True)
    query.touch()
    dot = folder / "graph.dot"
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", f"--graphviz={dot}", "-DBUILD_TESTING=OFF", "-DWARPLENS_BENCH=OFF",
                    "-DCMAKE_BUILD_TYPE=Release"], check=True, capture_output=True, text=True)
    targets = {}
    for path in (folder / ".cmake/api/v1/reply").glob("target-*.json"):
        target = json.loads(path.read_text(encoding="utf-8"))
        if target["type"] in ("STATIC_LIBRARY", "SHARED_LIBRARY", "EXECUTABLE"):
            sources = [source["path"] for source in target.get("sources", ()) if source["path"].startswith(TOPS)]
            targets[target["name"]] = {"folder": target["paths"]["source"], "sources": sources, "links": set()}
    text = dot.read_text(encoding="utf-8")
    label = dict(re.findall(r'^\s*"(node\d+)" \[ label = "([^"\\]+)', text, re.MULTILINE))
    for one, other in re.findall(r'^\s*"(node\d+)" -> "(node\d+)"', text, re.MULTILINE):
        # Libraries that stand alone link archives by their paths.
        linked = re.sub(r"^.*/lib(\w+)\.(a|so)$", r"\1", label.get(other, ""))
        if label.get(one) in targets and linked in targets:
            targets[label[one]]["links"].add(linked)
    return targets


class Graph:
    """The libraries by the names of their folders. Those of CUDA's stand-ins that have one folder count as one."""

    def __init__(self, targets):
        # A folder with two libraries, as the views and their panels, has a name for each.
        twice = {name for name, target in targets.items() if not target["folder"].startswith(STAND_IN) and any(
            other != name and targets[other]["folder"] == target["folder"] and len(targets[other]["sources"]) > len(target["sources"])
            for other in targets)}
        name_of = {}
        for name, target in targets.items():
            mine = target["folder"].startswith(TOPS) and target["sources"]
            if name == PROGRAM:
                name_of[name] = "the program"
            elif mine:
                name_of[name] = target["folder"] + (f" ({name.removeprefix('warplens_')})" if name in twice else "")
        self.links, self.library_of = {}, {}
        for name, target in targets.items():
            if name in name_of:
                self.links.setdefault(name_of[name], set()).update(
                    {name_of[other] for other in target["links"] if other in name_of} - {name_of[name]})
                if name not in twice:
                    self.library_of[target["folder"]] = name_of[name]
                for source in target["sources"]:
                    if name != PROGRAM and source.startswith(target["folder"] + "/"):
                        self.library_of[source.rpartition("/")[0]] = name_of[name]
        # Who compiles a file of another library's folder sees what is there.
        for name, target in targets.items():
            if name in name_of:
                self.links[name_of[name]] |= {self.owner(source) for source in target["sources"]} - {name_of[name]}
        self.reached = {name: self._reach(name, set()) for name in self.links}

    def _reach(self, name, found):
        for other in self.links[name]:
            if other not in found:
                found.add(other)
                self._reach(other, found)
        return found

    def owner(self, path):
        """The library that compiles the files next to this one; of a folder without sources, that of the folder around it."""
        return next((self.library_of[str(folder)] for folder in pathlib.PurePosixPath(path).parents if str(folder) in self.library_of),
                    "no library")

    def edges(self):
        """The direct links that no way over another library has."""
        return {(one, other) for one, links in self.links.items() for other in links
                if not any(other in self.reached[between] for between in links)}


def includes():
    """Every include of our code: file, line, what is included."""
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            # The built-in kernels are CUDA programs of their own.
            if path.suffix not in {".h", ".cpp", ".def"} or name.startswith("cuda/kernels/"):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if found := INCLUDE.match(line):
                    yield name, number, found.group(1)


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


def view_of(path):
    """The view that a file belongs to; what several views use belongs to none."""
    parts = path.split("/")
    return parts[2] if path.startswith("app/views/") and len(parts) > 3 and parts[2] != "model" else None


def violations(graph, lines):
    folders = {}
    for name, number, what in lines:
        for title, (headers, where) in OTHERS.items():
            if re.search(headers, what) and not re.match(where, name):
                yield f"{name}:{number}: {what} is of {title}: it is included only in {where}"
        if not what.startswith(tuple(top + "/" for top in TOPS)):
            continue
        mine, other = graph.owner(name), graph.owner(what)
        if other != mine and other not in graph.reached.get(mine, ()):
            yield f"{name}:{number}: {mine} must not include {what} of {other}, which it does not link"
        if view_of(name) and view_of(what) and view_of(name) != view_of(what):
            yield f"{name}:{number}: the view {view_of(name)} must not include {what}: what several use belongs to app/views/model"
        here, there = (path.rpartition("/")[0] for path in (name, what))
        if here != there:
            folders.setdefault(here, set()).add(there)
    for group in cycles(folders):
        yield "these folders include each other in a circle: " + ", ".join(group)
    for group in cycles(graph.links):
        yield "these libraries link each other in a circle: " + ", ".join(group)


def dot_of(graph):
    colours = {"core": "#dbeafe", "cuda": "#dcfce7", "app": "#fef3c7", "the": "#ffffff"}
    lines = ["digraph libraries {", '  rankdir=TB; nodesep=0.2; ranksep=0.3;',
             '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=13, height=0.3, color="#475569"];',
             '  edge [color="#475569", arrowsize=0.6];']
    lines += [f'  "{name}" [fillcolor="{colours[re.match("[a-z]+", name).group()]}"];' for name in sorted(graph.links)]
    lines += [f'  "{one}" -> "{other}";' for one, other in sorted(graph.edges())]
    return "\n".join(lines + ["}", ""])


def drawn():
    """The edges of the picture in the page."""
    text = PICTURE.read_text(encoding="utf-8") if PICTURE.exists() else ""
    titles = re.findall(r'class="edge">\s*<title>([^<]+)</title>', text)
    return {tuple(title.replace("&#45;", "-").replace("&gt;", ">").split("->")) for title in titles}


def self_test():
    """The checker finds what it is for; one that finds nothing would pass for ever."""
    target = lambda folder, sources, links=(): {"folder": folder, "sources": sources, "links": set(links)}
    graph = Graph({
        "warplens_a": target("core/a", ["core/a/x.cpp", "core/a/p/x.cpp"]), "warplens_b": target("core/b", ["core/b/x.cpp"], ["warplens_a"]),
        "warplens_views": target("app/views", ["app/views/u/x.cpp", "app/views/v/x.cpp"], ["warplens_b"]),
        "warplens_panels": target("app/views", ["app/views/v/panel/x.cpp"], ["warplens_views"])})
    assert graph.edges() == {("core/b", "core/a"), ("app/views", "core/b"), ("app/views (panels)", "app/views")}, graph.edges()
    good = [("core/b/x.cpp", 1, "core/a/y.h"), ("app/views/v/panel/x.cpp", 1, "app/views/v/y.h"), ("app/views/u/x.h", 1, "core/a/q/y.h")]
    assert not list(violations(graph, good)), list(violations(graph, good))
    for bad, words in ((("core/a/x.h", 1, "core/b/y.h"), "must not include core/b/y.h"), (("core/c/x.h", 1, "core/a/y.h"), None),
                       (("app/views/v/x.h", 1, "app/views/v/panel/y.h"), "which it does not link"),
                       (("app/views/v/x.h", 1, "app/views/u/y.h"), "the view v must not"), (("app/state/x.h", 1, "imgui.h"), "of Dear ImGui"),
                       (("app/widgets/x.h", 1, "GLFW/glfw3.h"), "of the desktop")):
        found = list(violations(graph, good + [bad]))
        assert not words or any(words in line for line in found), (bad, found)
    circle = [("core/a/p/x.h", 1, "core/a/q/y.h"), ("core/a/q/y.h", 1, "core/a/p/x.h")]
    assert any("circle: core/a/p, core/a/q" in line for line in violations(graph, circle))
    graph.links["core/a"] = {"core/b"}
    assert any("link each other in a circle: core/a, core/b" in line for line in violations(graph, []))


def main():
    self_test()
    with tempfile.TemporaryDirectory() as folder:
        graph = Graph(configured(pathlib.Path(folder)))
    if sys.argv[1:] == ["--write"]:
        svg = subprocess.run(["dot", "-Tsvg"], input=dot_of(graph), capture_output=True, text=True, check=True).stdout
        PICTURE.write_text(re.sub(r"<!-- Generated by.*?-->\n", "", svg, flags=re.DOTALL), encoding="utf-8")
        return 0
    lines = list(includes())
    found = list(violations(graph, lines))
    if drawn() != graph.edges():
        found.append(f"{PICTURE.relative_to(ROOT)} is not today's graph of libraries: tests/tools/layers_test.py --write "
                     f"({sorted(drawn() ^ graph.edges())})")
    print("\n".join(found) or f"all {len(lines)} includes are of linked libraries; {len(graph.links)} libraries, no circle")
    return 1 if found else 0


sys.exit(main())
