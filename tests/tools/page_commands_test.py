#!/usr/bin/env python3
"""Every command of README.md and docs/teach-tomorrow.md: page_commands_test.py build/release/warplens.

A line of a code block that begins with `warplens` is run, and what the page shows of its output must be what it prints. All other
commands have a row in ELSEWHERE, which says what runs them. A command in neither fails.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/programs"))
import packages  # noqa: E402

PAGES = ("README.md", "docs/teach-tomorrow.md")
# How a command of the pages begins, and what runs it.
ELSEWHERE = {
    "pip install ./warplens-": "tests/package/check.py",
    "pip install './warplens-": "tests/package/check.py",
    "tools/run": "tests/tools/scripts_test.sh",
    "tools/test": "tests/tools/scripts_test.sh",
    "python3 -m venv": "tests/package/check.py",
    ". warplens/bin/activate": "",  # a part of every Python
    "sudo apt install": "",  # needs an administrator
    "warplens serve": "tests/serve",
}
PROGRAM = """#include <cstdio>
__global__ void add(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}
int main() {
  float *x, *y;
  cudaMallocManaged(&x, 4000);
  cudaMallocManaged(&y, 4000);
  for (int i = 0; i < 1000; ++i) x[i] = y[i] = float(i);
  add<<<4, 256>>>(x, y, 1000);
  std::printf("%s %g\\n", cudaGetErrorString(cudaDeviceSynchronize()), y[999]);
}
"""
MAKEFILE = "run: add\n\t./add\nadd: vector_add.cu\n\tnvcc -o $@ $<\n"


def commands(text):
    """(command, what the page shows of its output) of each code block."""
    for block in re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        lines = block.splitlines()
        prompts = any(line.startswith("$ ") for line in lines)
        for i, line in enumerate(lines):
            if prompts and not line.startswith("$ "):
                continue
            shown = []
            if prompts:
                for after in lines[i + 1:]:
                    if after.startswith("$ "):
                        break
                    shown.append(after)
            command = line.removeprefix("$ ").split("  #")[0].strip()
            if command:
                yield command, shown


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


def not_printed(shown, printed):
    """The pieces between the ellipses that are not in the output."""
    printed = squeezed(printed)
    pieces = re.split(r"(?:\[…\]|…)", "\n".join(shown))
    return [piece for piece in map(squeezed, pieces) if piece and piece not in printed]


def make_files(folder):
    (folder / "vector_add.cu").write_text(PROGRAM, encoding="utf-8")
    (folder / "Makefile").write_text(MAKEFILE, encoding="utf-8")
    shutil.copy(ROOT / "tests/programs/course/vector_add.py", folder / "my_script.py")
    for student, answer in (("ada", "right.cu"), ("bob", "wrong_no_check.cu")):
        (folder / "hand-ins" / student).mkdir(parents=True)
        source = (ROOT / "assets/challenges/bounds_check" / answer).read_text(encoding="utf-8")
        (folder / "hand-ins" / student / "answer.cu").write_text(source, encoding="utf-8")
        (folder / "hand-ins" / student / "hand_in.json").write_text(
            '{"warplens_hand_in": 1, "challenge": "", "language": "cuda", "source": "", "name": "%s"}' % student, encoding="utf-8")


def alone(page):
    """The page of a run is there, with pictures, and needs nothing else: no scripts, no addresses but those of its own data."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    around, pictures = re.subn(r'src="data:image/svg\+xml,[^"<>#]*"', "", text)
    return pictures > 0 and not re.search(r"<script|<link|src=|href=|url\(|@import", around)


def wanted_status(words):
    """Of the window, which has no display here, and of a kernel with a fault, beside 0."""
    if len(words) == 1 or words[1].startswith("--"):
        return 3
    return 1 if words[1:] == ["run", "vector_add_unchecked"] else 0


def main():
    program = os.path.abspath(sys.argv[1])
    if os.environ.get("WARPLENS_LOOKS_FOR_CUDA") == "0":
        print("no compiler in this build")
        sys.exit(77)
    wrong, ran, left = [], 0, []
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    python = packages.environment("numba-cuda")
    if python is not None:
        environment["PATH"] = f"{python.parent}:{environment['PATH']}"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_files(folder)
        seen = set()
        for page in PAGES:
            for command, shown in commands((ROOT / page).read_text(encoding="utf-8")):
                row = next((begins for begins in ELSEWHERE if command.startswith(begins)), None)
                if row is not None:
                    place = ELSEWHERE[row]
                    if place and not (ROOT / place).exists():
                        wrong.append(f"{page}: {command}: {place} is not there")
                    continue
                words = shlex.split(command)
                if words[0] != "warplens":
                    wrong.append(f"{page}: {command}: nothing runs it. Add a row to ELSEWHERE, or make it a command of warplens")
                    continue
                if (command, bool(shown)) in seen:
                    continue
                seen.add((command, bool(shown)))
                if python is None and "my_script.py" in command:
                    left.append(command)
                    continue
                done = subprocess.run([program, *words[1:]], capture_output=True, text=True, cwd=folder, env=environment,
                                      timeout=300, check=False)
                ran += 1
                if done.returncode == 3 and "bubblewrap" in done.stderr and words[1] in ("grade", "class"):
                    left.append(command)
                elif done.returncode != wanted_status(words):
                    wrong.append(f"{page}: {command}: status {done.returncode}: {done.stdout[-300:]}{done.stderr[-500:]}")
                if "--page" in words and not alone(folder / words[words.index("--page") + 1]):
                    wrong.append(f"{page}: {command}: the page is not there, or needs other files")
                for piece in not_printed(shown, done.stdout):
                    wrong.append(f"{page}: {command} does not print: {piece}")
    print(*wrong, *(f"not run here: {command}" for command in left), f"{ran} commands, {len(wrong)} mistakes", sep="\n")
    sys.exit(1 if wrong else 0)


main()
