"""Runs program.py of this folder, then its kernel's CUDA C++ on the virtual GPU with the same data, and compares: for
written.py, in the Python that has the form's packages. Arguments: warplens, the kernel's name."""
import ast
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

warplens, kernel = sys.argv[1:]
REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
# A sum in another order, and a product that is rounded before it is added: the last bits of a float, a step of a byte.
CLOSE = {"rtol": 1e-5, "atol": 1e-6}
# If rounding decides which side a point or pixel is on, single elements may differ.
DECIDED_BY_A_BIT = {"mandelbrot": 0.01, "ripple": 0.01, "convolution_constant": 0.001, "pi_atomic_thread": 0.0}


def make_picture():
    from PIL import Image
    Image.effect_mandelbrot((130, 90), (-2, -1.2, 0.6, 1.2), 60).convert("RGB").save("picture.png")


def arguments_of(text, description):
    """Names and values of the kernel's arguments, and the program cut behind them."""
    tree = ast.parse(text)
    names = {argument["name"]: next(name for name in (argument["name"], argument["name"] + "_")
                                    if re.search(rf"^{name} = ", text, re.M)) for argument in description["arguments"]}
    assigned = [index for index, node in enumerate(tree.body)
                if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in names.values()]
    # A program assigns its outputs again at the end.
    last = max(assigned[:len(names)])
    cut = tree.body[last].end_lineno
    lines = text.splitlines(keepends=True)
    return names, "".join(lines[:cut]), "\n" * cut + "".join(lines[cut:])


def constants_of(description):
    """The module's constants as the program for Numba has them, which writes them as arrays."""
    values = {}
    wanted = {constant["symbol"] for constant in description.get("constants", [])}
    for node in ast.parse(pathlib.Path("constants.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in wanted:
            values[node.targets[0].id] = eval(compile(ast.Expression(node.value), "constants.py", "eval"), {"np": np})
    return values


SHORT = {"int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32", "int64": "i64",
         "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64"}


def launch_of(text, description, values):
    """A launch file of the same launch: the first one where the kernel's host makes several."""
    grid, block = re.search(r"a grid of \((.*?)\) blocks, each of \((.*?)\) threads", text).groups()
    launch = {"kernel": kernel, "entry": description["entry"], "grid": [int(n) for n in grid.split(",")],
              "block": [int(n) for n in block.split(",")], "buffers": [], "args": [], "globals": []}
    dynamic = re.search(r"\]\(|, 0, (\d+)\]\(|shared=(\d+)", text)
    if dynamic and (dynamic[1] or dynamic[2]):
        launch["shared_bytes"] = int(dynamic[1] or dynamic[2])
    for argument in description["arguments"]:
        name, value = argument["name"], values[argument["name"]]
        if "scalar" in argument:
            launch["args"].append({SHORT[value.dtype.name]: value.item()})
            continue
        value.tofile(name + ".bin")
        if "texture" in argument:
            launch["args"].append({"texture": {
                "file": name + ".bin", "dtype": value.dtype.name, "height": value.shape[0], "width": value.shape[1],
                "channels": value.shape[2], "address": argument["address"], "filter": argument["filter"],
                "read": argument["read"]}})
            continue
        launch["buffers"].append({"name": name, "file": name + ".bin", "dtype": value.dtype.name, "output": True})
        launch["args"].append({"buffer": name})
    for symbol, value in constants_of(description).items():
        value.tofile(symbol + ".bin")
        launch["globals"].append({"symbol": symbol, "file": symbol + ".bin"})
    return launch


def compare(name, got, want):
    got, want = np.asarray(got).ravel(), want.ravel()
    assert got.dtype == want.dtype and got.size == want.size, f"{name}: {got.dtype} × {got.size}"
    if got.dtype.kind == "f":
        differs = ~np.isclose(got, want, equal_nan=True, **CLOSE)
    else:
        differs = np.abs(got.astype(np.int64) - want.astype(np.int64)) > (1 if got.dtype == np.uint8 else 0)
    part = differs.mean() if differs.size else 0
    assert part <= DECIDED_BY_A_BIT.get(kernel, 0), \
        f"{name}: {part:.2%} differ; element {differs.argmax()} is {got[differs.argmax()]} and not {want[differs.argmax()]}"


def main():
    description = json.loads((REPOSITORY / "cuda" / "kernels" / f"{kernel}.json").read_text(encoding="utf-8"))
    text = pathlib.Path("program.py").read_text(encoding="utf-8")
    if "picture.png" in text:
        make_picture()
    names, front, rest = arguments_of(text, description)
    own = {"__name__": "__main__"}
    exec(compile(front, "program.py", "exec"), own)
    values = {argument: np.copy(own[name]) if isinstance(own[name], np.ndarray) else own[name]
              for argument, name in names.items()}
    launch = launch_of(text, description, values)
    pathlib.Path("launch.json").write_text(json.dumps(launch), encoding="utf-8")
    ran = subprocess.run([warplens, "run", "launch.json", "--device", "RTX 3060", "--outputs", "wanted"],
                         capture_output=True, text=True, env={**os.environ, "WARPLENS_CUDA_DRIVER": "none"})
    try:
        # The file's own lines: Numba and inspect look for a function's source in the file.
        exec(compile(rest, "program.py", "exec"), own)
    except Exception as error:
        # What the kernel does wrong, its program does wrong.
        if ran.returncode == 1 and re.search(r"\b700\b|ILLEGAL_ADDRESS|illegal memory access", f"{error}{error!r}"):
            print("both fault")
            os._exit(0)
        raise
    assert ran.returncode == 0, f"the kernel itself: {ran.stderr}"
    outputs = re.findall(r'^print\("(\w+)", \1\)', text, re.M)
    assert outputs, "the program prints nothing"
    for argument, name in names.items():
        if name in outputs:
            compare(argument, own[name], np.load(f"wanted/{argument}.npy"))


main()
