#!/usr/bin/env python3
"""The steps of action.yml, each run as a runner runs it, in a clean folder: action_test.py build/release/warplens.

The wheel is a small one without a program, from a "release" that is a folder; `warplens` is the program of this build. Tried are
the wheel with a right and a wrong checksum, a program with a mistake and one without, findings as warnings, and commands that
fail or hold quotes.
"""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """#include <cstdio>
__global__ void add(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  CHECK y[i] += x[i];
}
int main() {
  float *x, *y;
  cudaMallocManaged(&x, 4000);
  cudaMallocManaged(&y, 4000);
  add<<<4, 256>>>(x, y, 1000);
  std::printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
"""
WHEEL = "warplens-0.0.1-py3-none-any.whl"


class Runner:
    """What GitHub's runner does with a composite action: expressions, environments, files for outputs and summaries."""

    def __init__(self, action, folder, path):
        self.action, self.folder, self.path = action, folder, path
        self.values = {f"inputs.{name}": given.get("default", "") for name, given in action["inputs"].items()}
        (folder / "a v1").mkdir()
        self.values |= {"github.server_url": "file://" + str(folder), "github.action_repository": "owner/warplens",
                        "github.action_ref": "v0.0.1", "github.action_path": str(ROOT)}

    def filled_in(self, text):
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: self.values[match[1]], str(text))

    def wanted(self, step):
        return "if" not in step or (step["if"] == "${{ inputs.wheel == '' }}" and self.values["inputs.wheel"] == "")

    def run(self, **inputs):
        """(status, what was printed, summary, outputs) of the steps until one fails."""
        before = dict(self.values)
        self.values |= {f"inputs.{name}": value for name, value in inputs.items()}
        told = {name: self.folder / name for name in ("summary", "output")}
        for file in told.values():
            file.write_text("")
        printed, status = "", 0
        for step in self.action["runs"]["steps"]:
            if not self.wanted(step) or status != 0:
                continue
            script = self.folder / "step.sh"
            script.write_text(step["run"], encoding="utf-8")
            assert step["shell"] == "bash" and "${{" not in step["run"], "inputs come through the environment only"
            environment = {"PATH": self.path, "HOME": str(self.folder / "home"), "RUNNER_TEMP": str(self.folder / "temp"),
                           "GITHUB_WORKSPACE": str(self.folder / "work"), "GITHUB_STEP_SUMMARY": str(told["summary"]),
                           "GITHUB_OUTPUT": str(told["output"]), "WARPLENS_CUDA_DRIVER": "none", "PIP_NO_INDEX": "1",
                           "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(pathlib.Path.home() / ".cache")),
                           **{name: self.filled_in(value) for name, value in step.get("env", {}).items()}}
            done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], capture_output=True, text=True,
                                  cwd=self.folder / "work", env=environment, timeout=300, check=False)
            printed += done.stdout + done.stderr
            status = done.returncode
        self.values = before
        return status, printed, *(file.read_text(encoding="utf-8") for file in told.values())


def make_wheel(folder):
    """A wheel without a program, which has the extra that the action asks for."""
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        wheel.writestr("warplens_of_a_test.py", "")
        for name, text in (("METADATA", "Metadata-Version: 2.1\nName: warplens\nVersion: 0.0.1\nProvides-Extra: nvcc\n"),
                           ("WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
                           ("RECORD", "")):
            wheel.writestr(f"warplens-0.0.1.dist-info/{name}", text)
    return hashlib.sha256((folder / WHEEL).read_bytes()).hexdigest()


def check(action, program, folder):
    for name in ("home", "temp", "work"):
        (folder / name).mkdir()
    release = folder / "owner/warplens/releases/download/v0.0.1"
    release.mkdir(parents=True)
    digest = make_wheel(release)
    venv.create(folder / "venv", with_pip=True)
    (folder / "venv/bin/warplens").symlink_to(program)
    runner = Runner(action, folder, f"{folder}/venv/bin:{os.environ['PATH']}")
    for name, guard in (("right", "if (i < n)"), ("wrong", "")):
        (folder / f"work/{name}.cu").write_text(PROGRAM.replace("CHECK", guard), encoding="utf-8")

    (release / "SHA256SUMS").write_text(f"{'0' * 64}  {WHEEL}\n")
    status, printed, *_ = runner.run(run="true")
    assert status != 0 and "FAILED" in printed, f"a wheel with another checksum was installed: {printed}"
    (release / "SHA256SUMS").write_text(f"{'1' * 64}  other.tar.gz\n{digest}  {WHEEL}\n")
    status, printed, summary, output = runner.run(run="nvcc -o right right.cu && ./right")
    assert status == 0 and "no error" in printed and "::error" not in printed, printed
    assert "| add | 1 |" in summary and "1 launches, 2 allocations of 8,000 bytes" in summary, summary
    assert "findings=0" in output, output
    # 4 blocks of 8 warps; 125 sectors are read of each array, and 125 written.
    assert re.search(r"\| add \| [0-9,]+ \| 1 \| 375 \| 0 \| 0 \|", summary), summary

    given = {"wheel": str(release / WHEEL)}
    status, printed, summary, output = runner.run(run="nvcc -o wrong wrong.cu\n./wrong", **given)
    assert status == 1, f"a finding does not fail the step: {status}: {printed}"
    assert re.search(r"^::error file=wrong\.cu,line=4,title=WarpLens%3A out of bounds in add::block \(3,0,0\) thread \(232,0,0\) reads",
                     printed, re.MULTILINE), printed
    assert "| wrong.cu:4 | add |" in summary and "findings=1" in output, summary + output
    sarif = json.loads(pathlib.Path(re.search(r"sarif=(.*)", output)[1]).read_text(encoding="utf-8"))
    place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("wrong.cu", 4), sarif
    status, printed, *_ = runner.run(run="./wrong", strict="false", **given)
    assert status == 0 and "::warning file=wrong.cu,line=4," in printed, printed
    (folder / "work/sub").mkdir()
    status, printed, *_ = runner.run(run="../right; echo \"it's $(basename \"$PWD\")\"; exit 7", directory="sub", device="Tesla T4",
                                     **given)
    assert status == 7 and "it's sub" in printed, printed
    status, printed, *_ = runner.run(run="false\necho not reached", **given)
    assert status == 1 and "not reached" not in printed, printed
    status, printed, *_ = runner.run(run="true", device="no such GPU", **given)
    assert status == 2 and "so there is no report" in printed, printed


def main():
    if os.environ.get("WARPLENS_LOOKS_FOR_CUDA") == "0":
        print("no compiler in this build")
        sys.exit(77)
    if "check" in sys.argv:
        from ruamel.yaml import YAML
        read = YAML(typ="safe", pure=True).load
        for workflow in sorted((ROOT / ".github/workflows").glob("*.yml")) + sorted((ROOT / "docs").glob("*/*.yml")):
            assert "jobs" in read(workflow.read_text(encoding="utf-8")), f"{workflow} has no jobs"
        with tempfile.TemporaryDirectory() as name:
            check(read((ROOT / "action.yml").read_text(encoding="utf-8")), os.path.abspath(sys.argv[1]), pathlib.Path(name))
        return
    sys.path.insert(0, str(ROOT / "tests/programs"))
    import packages
    python = packages.environment(ROOT / "tools/requirements/package.txt")
    if python is None:
        sys.exit(77)
    os.execv(python, [python, "-B", __file__, sys.argv[1], "check"])


main()
