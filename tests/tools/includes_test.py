"""The arrows of ARCHITECTURE.md, one way: what each folder must not include."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WINDOW = r"imgui|implot|hello_imgui|rich_md|TextEditor|portable_file_dialogs|GLFW|glad|^GL/|KHR/|app/(widgets|frame|window)/|app/views/.*panels?\.h"
CUDA = r"^(cuda|cudaGL|cuda(GL)?Typedefs|nvrtc|nvJitLink|cuda_runtime\w*|cuda_occupancy|cuda_fp16)\.h$|^cuda/"
RULES = {
    "core": rf"^app/|{CUDA}|{WINDOW}|cairo|CLI/",
    "cuda": rf"^app/|{WINDOW.replace('GLFW|glad|^GL/|KHR/|', '')}",
    "app/base": rf"{WINDOW}|cairo",
    "app/draw": WINDOW,
    "app/state": rf"{WINDOW}|cairo",
    "app/worker": rf"{WINDOW}|cairo",
    "app/model": rf"{WINDOW}|cairo",
    "app/views": rf"{WINDOW}|cairo",
    "app/cli": WINDOW,
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def violations(folder, pattern):
    forbidden = re.compile(pattern)
    for path in sorted((ROOT / folder).rglob("*")):
        # Kernels are CUDA programs of their own.
        if path.suffix not in {".h", ".cpp", ".def"} or "kernels" in path.parts and folder == "cuda":
            continue
        if folder == "app/views" and path.stem.endswith(("panel", "panels")):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            if found and forbidden.search(found.group(1)):
                yield f"{path.relative_to(ROOT)}:{number}: {folder} must not include {found.group(1)}"


def main():
    # The patterns themselves: a rule that matches nothing would pass forever.
    assert re.search(RULES["core"], "app/state/state.h") and re.search(RULES["core"], "imgui.h")
    assert re.search(RULES["core"], "cuda.h") and not re.search(RULES["core"], "core/base/result.h")
    assert re.search(RULES["cuda"], "app/state/state.h") and not re.search(RULES["cuda"], "GL/gl.h")
    found = [line for folder, pattern in RULES.items() for line in violations(folder, pattern)]
    print("\n".join(found) or "every include points the right way")
    return 1 if found else 0


sys.exit(main())
