"""Runs the programs of this folder on the virtual GPU and compares what is found with their first lines (README.md).

    bugs.py build/release/warplens           those in CUDA C++, compiled by nvcc
    bugs.py build/release/warplens clang     compiled by clang and headers of our own
    bugs.py build/release/warplens numba     those with Numba
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cuda/stand_in/runtime"), str(HERE.parent / "programs")]
SKIPPED = 77
# The first lines of a wrong program.
FINDS = re.compile(r"^(?://|#) finds (\w+) of \[(\w+)\](?: before \[(\w+)\])?\n(?://|#) says (.+)$", re.M)


def programs(suffix):
    """The right programs of this folder, and the wrong ones, which are without .right in their names."""
    right = sorted(HERE.glob(f"*.right{suffix}"))
    wrong = [path.with_name(path.name.replace(".right.", ".")) for path in right]
    return right, [path for path in wrong if path.exists()]


def options_of(source):
    """What nvcc needs for this program in addition."""
    return "".join(re.findall(r"\A// nvcc: (.*)", source.read_text(encoding="utf-8"))).split()


def expected(source):
    """(kind, lines, word of the advice) of each finding that the program must have; none of a right one."""
    text = source.read_text(encoding="utf-8")
    marks = {mark: number for number, line in enumerate(text.splitlines(), 1)
             for mark in re.findall(r"(?://|#) \[(\w+)\]$", line)}
    return [(kind, {marks[mark] for mark in (first, second) if mark}, word)
            for kind, first, second, word in FINDS.findall(text)]


def lines_of(finding):
    """The lines of the program that a finding names."""
    named = {int(number) for number in re.findall(r"(?:\blines? |\.(?:cu|py):)(\d+)", finding["message"])}
    return named | ({finding["called_at"]["line"]} if finding["called_at"] else set())


def is_it(finding, kind, lines, word):
    return finding["kind"] == kind and lines <= lines_of(finding) and word in finding["message"]


def compiled(launcher, sources, folder):
    """The command that runs each program. A compilation costs more than a run, so those with the same options are one program,
    each in a namespace."""
    commands, groups = {}, {}
    for source in sources:
        groups.setdefault(tuple(options_of(source)), []).append(source)
    for number, (options, group) in enumerate(groups.items()):
        name = {source: source.stem.replace(".", "_") for source in group}
        headers = sorted({line for source in group for line in re.findall(r"^#include <.*>$", source.read_text("utf-8"), re.M)})
        parts = [f'namespace {name[source]} {{\n#include "{source}"\n}}' for source in group]
        chosen = [f'  if (!strcmp(words[1], "{name[source]}")) return {name[source]}::main();' for source in group]
        text, program = folder / f"all_{number}.cu", folder / f"all_{number}"
        text.write_text("\n".join([*headers, "#include <cstring>", *parts, "int main(int, char** words) {", *chosen, "}\n"]),
                        encoding="utf-8")
        command = ["nvcc", "-std=c++17", "-arch=sm_75", *options, text, "-o", program]
        done = subprocess.run([launcher, "program", "--quiet", "--", *command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"does not compile:\n{done.stdout}{done.stderr}")
        commands.update({source: [program, name[source]] for source in group})
    return commands


# In which other orders the work of its streams is done. The driver chooses them, so one way to write programs shows them all.
# A program that waits for a function of the host without a call would wait forever for one that is put aside.
ONE_ORDER = "// waits without a call"
ORDERS = {"nvcc": ("late", "1", "2", "3"), "clang": (), "numba": ()}


def check(launcher, source, command, folder, orders):
    """What is not as it should be; empty if all is."""
    report = folder / f"{source.name}.json"
    done = subprocess.run([launcher, "program", "--json", report, "--", *command], capture_output=True, text=True, check=False)
    wanted = expected(source)
    findings = json.loads(report.read_text(encoding="utf-8"))["findings"]
    missing = [row for row in wanted if not any(is_it(finding, *row) for finding in findings)]
    surplus = [finding for finding in findings if not any(is_it(finding, *row) for row in wanted)]
    if missing or surplus or not (wanted or (done.returncode == 0 and done.stdout == "right\n")):
        return f"not found: {missing}; found though: {surplus}\n{done.stdout}{done.stderr}"
    if ONE_ORDER in source.read_text(encoding="utf-8"):
        return ""
    # No order shows everything: one may be right by chance, and the first that is not shows it. A right program is right in each.
    outputs = ((order, in_order(launcher, order, command)) for order in orders)
    shows = next(((order, text) for order, text in outputs if text != "right\n"), None)
    if wanted:
        return "" if shows or not orders else "it is right in every other order"
    return f"in the order {shows[0]} it prints: {shows[1]}" if shows else ""


def in_order(launcher, order, command):
    """What the program prints if the work of its streams is done in another order."""
    return subprocess.run([launcher, "program", "--quiet", "--stream-order", order, "--", *command], capture_output=True, text=True,
                          check=False, timeout=120).stdout


def check_trace(launcher, command, folder):
    """The wait of the right program is an arrow of its time line, from the earlier kernel to the later."""
    recording, trace = folder / "traced.warplens", folder / "trace.json"
    subprocess.run([launcher, "program", "--quiet", "--record", recording, "--", *command], capture_output=True, check=True)
    subprocess.run([launcher, "recording", recording, "--trace", trace], capture_output=True, check=True)
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    kernels = [event for event in events if event.get("cat") == "kernel"]
    flows = [event for event in events if event.get("cat") == "wait"]
    ends = [next(kernel["name"].split("::")[-1] for kernel in kernels if kernel["tid"] == flow["tid"] and kernel["ts"] <= flow["ts"] <= kernel["ts"] + kernel["dur"])
            for flow in flows]
    return "" if ends == ["roots", "add"] else f"the arrows of the time line are {ends}"


def unmended(source):
    """Advice whose call the right program does not have."""
    right = source.with_name(f"{source.stem}.right{source.suffix}").read_text(encoding="utf-8")
    return [word for _, _, word in expected(source) if word not in right]


def main():
    from packages import environment
    from run import choose_compiler
    launcher, how = pathlib.Path(sys.argv[1]).resolve(), (sys.argv[2:] or ["nvcc"])[0]
    python = None
    if how == "numba":
        python = environment("numba-cuda")
        if python is None:
            return SKIPPED
    elif why := choose_compiler(launcher, how == "clang"):
        print(why)
        return SKIPPED
    right, wrong = programs(".py" if python else ".cu")
    failed = 0
    for source in wrong:
        if words := unmended(source):
            failed += 1
            print(f"{source.name}: the right program lacks {words}")
    sources = wrong + right
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        commands = {source: [python, source] for source in sources} if python else compiled(launcher, sources, folder)
        for source, said in zip(sources, pool.map(lambda source: check(launcher, source, commands[source], folder, ORDERS[how]), sources)):
            if said:
                failed += 1
                print(f"{source.name}: {said}")
        if how == "nvcc" and (said := check_trace(launcher, commands[HERE / "two_streams.right.cu"], folder)):
            failed += 1
            print(f"two_streams.right.cu: {said}")
    print(f"{len(sources)} programs, and {failed} of them are not judged as they should be")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
