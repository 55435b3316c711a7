"""What is said of the mistakes of mistakes.cu, and at which line of the host program.

    mistakes.py build/release/warplens
    mistakes.py build/release/warplens clang    by clang and headers of our own
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
SOURCE = HERE / "mistakes.cu"
SKIPPED = 77
# For each mistake, what is said, {mark} being file and line of a mark; nothing else of OTHERS may be said.
EXPECTED = {
    "none": [],
    "asked": ["more than the device's 1,024.*launched at {launch}"],
    "status": [],
    "refused": ["The launch at {launch} failed with cudaErrorInvalid", "launched at {launch}"],
    "too_large": ["cudaMalloc at {too_large} returned cudaErrorMemoryAllocation", "{too_large}: There is no room for 1 PiB"],
    "direction": ["{direction}: A copy says cudaMemcpyDeviceToHost, but its target is memory of the device",
                  "cudaMemcpy at {direction} returned cudaErrorInvalidValue"],
    "elements_allocated": ["The array was allocated at {few}", "for 1,000 elements allocate 1,000 \\* 4 bytes",
                           "launched at {launch_few}"],
    "elements_copied": ["1,000 of 4,000 bytes were copied to an array, and the kernel add reads more.*{few_copied}"],
    "host_pointer": ["is no address of the device.*one of the host's memory.*launched at {host_pointer}"],
    "dereferenced": ["only kernels reach it", "It was at .*{dereferenced}"],
    "never_back": ["Nothing that the kernels computed came back.*{launch}"],
    "not_freed": ["3 arrays of 11.7 KiB together were not freed.*{array}"],
}
OTHERS = ("returned cudaError", "The launch at", "were copied", "came back", "not freed", "of the device")


def marks():
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    found = {}
    for number, line in enumerate(lines, 1):
        if mark := re.search(r"// mark: (\w+)$", line):
            found[mark[1]] = re.escape(f"mistakes.cu:{number}") + r"\b"
    return found


def main():
    from run import choose_compiler
    launcher = sys.argv[1]
    if why := choose_compiler(launcher, sys.argv[2:] == ["clang"]):
        print(why)
        return SKIPPED
    places, failed = marks(), 0
    with tempfile.TemporaryDirectory() as folder:
        # In a folder whose name is one of CUDA's, too, the program's source is the author's own.
        own = pathlib.Path(folder) / "nvidia" / "crt"
        own.mkdir(parents=True)
        source = shutil.copy(SOURCE, own)
        program = f"{folder}/mistakes"
        subprocess.run([launcher, "program", "--quiet", "--", "nvcc", "-std=c++17", source, "-o", program], check=True)
        for name, sentences in EXPECTED.items():
            done = subprocess.run([launcher, "program", "--", program, name], capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
            missing = [words for words in sentences if not re.search(words.format(**places), said)]
            wanted = " ".join(sentences)
            surplus = [words for words in OTHERS if words in said and words.strip() not in wanted]
            if missing or (surplus and name != "dereferenced"):
                failed += 1
                print(f"{name}: not said: {missing}; said though: {surplus}\n{said}")
    print(f"{len(EXPECTED) - failed} of {len(EXPECTED)} mistakes are told of as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
