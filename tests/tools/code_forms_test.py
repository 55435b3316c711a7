"""Every kernel in every Python form parses; with Numba's simulator or an OpenCL device at hand they also run."""
import ast
import importlib.util
import json
import os
import subprocess
import sys

warplens = sys.argv[1]
failures = []


def run(*arguments):
    return subprocess.run([warplens, *arguments], capture_output=True, text=True)


def parse(kernel, form):
    """The program, or None where nobody has written it."""
    made = run("code", kernel, "--form", form)
    if made.returncode != 0:
        if "Nobody has written" not in made.stderr or form in ("cupy", "pycuda"):
            failures.append(f"{kernel} {form}: {made.stderr.strip()}")
        return None
    try:
        ast.parse(made.stdout)
    except SyntaxError as error:
        failures.append(f"{kernel} {form}: {error}")
    return made.stdout


# Sizes that the simulator, which runs a Python thread for a thread, gets through.
SMALL = {
    "vector_add": ["--set", "n=100", "--block", "32"],
    "mandelbrot": ["--set", "width=12", "--set", "height=9", "--set", "max_iterations=20", "--set", "center_x=0.5",
                   "--set", "scale=0.1", "--block", "4x4"],
    "matmul_tiled": ["--set", "m=20", "--set", "n=18", "--set", "k=17"],
}
CHECKS = {
    "vector_add": "assert np.array_equal(out, x + y)",
    "mandelbrot": "assert rgb.any() and rgb.shape == (9, 12, 3)",
    "matmul_tiled": "assert np.allclose(c, a @ b, atol=1e-4)",
}


def execute(form, module, environment):
    if importlib.util.find_spec(module) is None or importlib.util.find_spec("numpy") is None:
        print(f"SKIPPED: {module} is not installed, so its forms were parsed and not run")
        return
    for kernel, options in SMALL.items():
        made = run("code", kernel, "--form", form, *options)
        program = made.stdout + CHECKS[kernel] + "\n"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200,
                              env={**os.environ, **environment})
        if done.returncode != 0:
            failures.append(f"{kernel} {form} does not run: {done.stderr.strip()[-1500:]}")
        else:
            print(f"ran {kernel} in {form}")


listed = run("kernels", "--json")
kernels = [kernel["name"] for kernel in json.loads(listed.stdout)["kernels"]]
assert kernels, listed.stderr
parsed = sum(parse(kernel, form) is not None for kernel in kernels for form in ("numba", "cupy", "pycuda", "opencl"))
print(f"{parsed} programs of {len(kernels)} kernels parse")
execute("numba", "numba", {"NUMBA_ENABLE_CUDASIM": "1"})
execute("opencl", "pyopencl", {})
print("\n".join(failures))
sys.exit(1 if failures else 0)
