"""The errors of our libraries beside those of NVIDIA's, on a machine with a GPU, nvcc and NVIDIA's libraries:

    compare.py build/release/warplens [NAME.cu …]     both
    compare.py - [NAME.cu …]                          NVIDIA's alone

Each program here compares results with references of its own. Its lines "WHAT  ERROR of BOUND" are shown, and so is what does
not hold. Exit status 1 if an error of one side is above its bound, or a program does not pass.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LINE = re.compile(r"^(.*?)\s+([\d.]+e[+-]\d+|nan|inf) of ([\d.]+e[+-]\d+)$")


def errors(side, name):
    """What a program says: {(WHAT, how many times it was there before): (error, bound)}, its other lines, and whether it passed."""
    done = subprocess.run([sys.executable, HERE.parent / "runtime" / "run.py", side, f"../libraries/{name}"], capture_output=True, text=True, check=False)
    found, rest, part, seen = {}, [], "", {}
    for line in done.stdout.splitlines():
        match = LINE.match(line)
        if not match:
            if re.fullmatch(r"\S+( \S+)?", line):  # the type of the lines that follow
                part = line
            rest.append(line)
            continue
        what = f"{part} {match[1].strip()}" if line.startswith(" ") else match[1].strip()
        seen[what] = seen.get(what, 0) + 1
        found[(what, seen[what])] = (float(match[2]), float(match[3]))
    return found, rest, done.returncode == 0


def main():
    launcher, *names = sys.argv[1:]
    sides = ["-"] if launcher == "-" else [launcher, "-"]
    passed = True
    for name in names or sorted(path.name for path in HERE.glob("*.cu") if "expect_below" in path.read_text(encoding="utf-8")):
        results = [errors(side, name) for side in sides]
        print(f"{name}: " + ("NVIDIA's" if launcher == "-" else "ours, NVIDIA's"))
        for key in results[-1][0] | results[0][0]:
            row = [found.get(key) for found, _, _ in results]
            bound = next(value[1] for value in row if value)
            words = "  ".join("        " if value is None else f"{value[0]:8.1e}" for value in row)
            print(f"  {key[0]:44s} {words}  of {bound:.0e}" + ("" if all(value and value[0] <= bound for value in row) else "  !"))
        for side, (_, rest, right) in zip(sides, results):
            passed = passed and right
            if not right:
                print(f"  {'NVIDIA' if side == '-' else 'we'}: it does not pass")
                print("\n".join(f"    {line}" for line in rest))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
