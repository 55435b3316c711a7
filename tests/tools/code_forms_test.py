"""Every kernel in every Python form parses; with Numba's simulator or an OpenCL device at hand they also run."""
import ast
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

warplens = os.path.abspath(sys.argv[1])
failures = []


def run(*arguments, cwd=None):
    return subprocess.run([warplens, *arguments], capture_output=True, text=True, cwd=cwd)


def parse(kernel, form):
    """The program; every kernel of the catalogue has every form, but PyCUDA where it takes a texture object."""
    made = run("code", kernel, "--form", form)
    if made.returncode != 0:
        if not (form == "pycuda" and "needs a texture object" in made.stderr):
            failures.append(f"{kernel} {form}: {made.stderr.strip()}")
        return None
    try:
        tree = ast.parse(made.stdout)
        failures.extend(f"{kernel} {form}: {words}" for words in shapes_that_numba_refuses(tree))
    except SyntaxError as error:
        failures.append(f"{kernel} {form}: {error}")
    return made.stdout


def shapes_that_numba_refuses(tree):
    """cuda.shared.array and cuda.local.array take numbers and names of the module; TILE + 1 is no constant inside a kernel."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("cuda.shared.array", "cuda.local.array"):
            shape = call.args[0]
            for size in shape.elts if isinstance(shape, ast.Tuple) else [shape]:
                # Python itself computes expressions that have only numbers.
                if not isinstance(size, ast.Name) and any(isinstance(part, ast.Name) for part in ast.walk(size)):
                    yield f"line {call.lineno}: {ast.unparse(size)} is no constant for Numba: give it a name outside the kernel"


# Sizes that the simulator, which runs a Python thread for a thread, gets through.
PICTURE = ["--image", "picture.png", "--block", "8x4"]
TILED = ["--image", "picture.png"]
SMALL_N = ["--set", "n=100", "--block", "32"]
SMALL = {
    "vector_add": SMALL_N,
    "grid_stride_add": ["--set", "n=100", "--block", "16", "--grid", "2"],
    "ufunc_add": ["--set", "n=50", "--block", "32"],
    "chain_on_device": SMALL_N,
    "index_map_1d": ["--set", "n=50", "--block", "8"],
    "index_map_2d": ["--set", "width=7", "--set", "height=5", "--block", "3x3"],
    "index_map_3d": ["--set", "width=5", "--set", "height=3", "--set", "depth=4", "--block", "2x2x2"],
    "loop_test": ["--set", "n=40", "--set", "loops=10", "--block", "16"],
    "lucas": ["--set", "n=40", "--block", "16"],
    "lucas_recursive": ["--set", "n=9", "--block", "8"],
    "local_array": ["--set", "n=30", "--set", "each=20", "--block", "16"],
    "register_spill": ["--set", "n=10", "--block", "8"],
    "mandelbrot": ["--set", "width=12", "--set", "height=9", "--set", "max_iterations=20", "--set", "center_x=0.5",
                   "--set", "scale=0.1", "--block", "4x4"],
    "matmul_naive": ["--set", "m=7", "--set", "n=6", "--set", "k=5", "--block", "4x4"],
    "matmul_tiled": ["--set", "m=20", "--set", "n=18", "--set", "k=17"],
    "transpose_naive": ["--set", "width=9", "--set", "height=5", "--block", "4x4"],
    "transpose_tiled": ["--set", "width=9", "--set", "height=5"],
    "transpose_padded": ["--set", "width=9", "--set", "height=5"],
    "reduce_shared": ["--set", "n=100", "--block", "24"],
    "reduce_two_launches": ["--set", "n=100", "--block", "24"],
    "reduce_shuffle": ["--set", "n=100", "--block", "64"],
    "prefix_sum": ["--set", "n=100", "--block", "32"],
    "pi_atomic_thread": ["--set", "n=20", "--set", "turns=3", "--block", "16"],
    "pi_atomic_block": ["--set", "n=20", "--set", "turns=3", "--block", "16"],
    "pi_atomic_warp": ["--set", "n=64", "--set", "turns=3", "--block", "32"],
    "grayscale": PICTURE,
    "grayscale_row_on_x": PICTURE,
    "invert": PICTURE,
    "invert_tiled": PICTURE,
    "box_blur": PICTURE + ["--set", "radius=1"],
    "box_blur_tiled": TILED + ["--set", "radius=1"],
    "sobel": PICTURE,
    "sobel_tiled": TILED,
    "convolution_constant": PICTURE,
    "resize_texture": PICTURE,
    "rotate_texture": PICTURE,
    "ripple": PICTURE + ["--set", "time=0.3", "--set", "wavelength=6", "--set", "amplitude=2"],
    "histogram_global": ["--image", "picture.png", "--block", "64"],
    "histogram_shared": ["--image", "picture.png", "--block", "64"],
    "histogram_equalisation": ["--image", "picture.png", "--block", "64"],
}
# The simulator has no warp shuffles.
LACKING = {"numba": {"reduce_shuffle", "pi_atomic_warp"}, "opencl": set()}

GRAY = ("gray_ = (0.114 * rgb[..., 2] + 0.587 * rgb[..., 1] + 0.299 * rgb[..., 0] + 0.5).astype(np.uint8)\n"
        "assert np.abs(gray.astype(int) - gray_).max() <= 1 and gray.any()")
SOBEL = """
p = np.pad(in_.astype(int), 1, mode="edge")
h, w = in_.shape
at = lambda dy, dx: p[1 + dy:1 + dy + h, 1 + dx:1 + dx + w]
across = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
down = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
assert np.abs(out.astype(int) - np.minimum(np.sqrt(across**2 + down**2), 255).astype(int)).max() <= 1"""
BLUR = """
p = np.pad(in_.astype(int), ((1, 1), (1, 1), (0, 0)), mode="edge")
h, w = in_.shape[:2]
total = sum(p[1 + dy:1 + dy + h, 1 + dx:1 + dx + w] for dy in (-1, 0, 1) for dx in (-1, 0, 1))
assert np.array_equal(out, ((total + 4) // 9).astype(np.uint8))"""
# What a texture unit reads between pixels: weights in 256ths, and a 16-bit value in the end.
TEXTURE = """
def fetch(px, py, border):
    h, w = picture.shape[:2]
    ax, ay = (np.floor((p.astype(np.float64) - 0.5) * 256 + 0.5).astype(int) for p in (px, py))
    a, b = (ax & 255)[..., None], (ay & 255)[..., None]
    both = (a * b + 128) >> 8
    def at(dx, dy):
        x, y = (ax >> 8) + dx, (ay >> 8) + dy
        inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
        value = picture[np.clip(y, 0, h - 1), np.clip(x, 0, w - 1)].astype(int)
        return value * inside[..., None] if border else value
    mixed = (256 - a - b + both) * at(0, 0) + (a - both) * at(1, 0) + (b - both) * at(0, 1) + both * at(1, 1)
    return (((mixed * 257 + 128) >> 8) / 65535 * 255 + 0.5).astype(int)
y, x = np.mgrid[:out.shape[0], :out.shape[1]].astype(np.float32) + np.float32(0.5)
"""
RESIZE = TEXTURE + """
want = fetch(x * (np.float32(width) / np.float32(new_width)), y * (np.float32(height) / np.float32(new_height)), False)
assert np.abs(out.astype(int) - want).max() <= 1 and out.any()"""
ROTATE = TEXTURE + """
mx, my = width / 2, height / 2
want = fetch(cosine * (x - mx) + (sine * (y - my) + mx), cosine * (y - my) + (my - sine * (x - mx)), True)
assert np.abs(out.astype(int) - want).max() <= 2 and out.any()"""
# Equal but where a sum rounds otherwise: each pixel shows one of the picture's.
RIPPLE = """
h, w = in_.shape[:2]
y, x = np.mgrid[:h, :w]
dx, dy = x - w // 2, y - h // 2
d = np.sqrt(dx**2 + dy**2)
phase = (d / 6 - 0.3) % 1 - 0.5
shift = np.where(d > 0, 2 * 8 * phase * (1 - 2 * abs(phase)) / np.maximum(d, 1), 0)
column = np.clip(x + np.floor(dx * shift + 0.5).astype(int), 0, w - 1)
row = np.clip(y + np.floor(dy * shift + 0.5).astype(int), 0, h - 1)
assert (out != in_[row, column]).mean() < 0.05 and (out != in_).any()"""
# Points within the quarter of a circle, by the same generator.
PI = """
def philox(turn, item):
    x, y, z, w, kx, ky = turn, item, 0, 0, int(seed), 0
    for _ in range(10):
        px, pz = 0xd2511f53 * x, 0xcd9e8d57 * z
        x, y, z, w = (pz >> 32) ^ y ^ kx, pz & 0xffffffff, (px >> 32) ^ w ^ ky, px & 0xffffffff
        kx, ky = (kx + 0x9e3779b9) & 0xffffffff, (ky + 0xbb67ae85) & 0xffffffff
    return x, y, z, w
inside = lambda a, b: (a / 2**32)**2 + (b / 2**32)**2 <= 1
four = [philox(t, i) for i in range(int(n)) for t in range(int(turns))]
assert abs(int(total[0]) - sum(inside(f[0], f[1]) + inside(f[2], f[3]) for f in four)) <= 1"""
LUCAS = "a = [2, 1]\nwhile len(a) <= n: a.append(a[-1] + a[-2])\nassert np.array_equal(out, a[:n + 1])"
REDUCE = "assert abs(sums.sum() - x.sum()) < 1e-3 * max(1, np.abs(x).sum())"
CHECKS = {
    "vector_add": "assert np.array_equal(out, x + y)",
    "grid_stride_add": "assert np.array_equal(out, x + y)",
    "ufunc_add": "assert np.array_equal(out, x + y)",
    "chain_on_device": "assert np.array_equal(sum, x + y)",
    "index_map_1d": "assert np.array_equal(x_of, np.arange(50))",
    "index_map_2d": "assert np.array_equal(x_of, np.mgrid[:5, :7][1]) and np.array_equal(y_of, np.mgrid[:5, :7][0])",
    "index_map_3d": "assert x_of.reshape(4, 3, 5)[2, 1, 3] == 3 and y_of.reshape(4, 3, 5)[2, 1, 3] == 1 "
                    "and z_of.reshape(4, 3, 5)[2, 1, 3] == 2",
    "loop_test": "assert np.allclose(out, np.arange(40) * 4.5)",
    "lucas": LUCAS,
    "lucas_recursive": LUCAS,
    "local_array": "assert all(most[t] == np.bincount(x[:, t] & 15, minlength=16).argmax() for t in range(30))",
    "register_spill": "assert np.allclose(out[0], x.sum(0), atol=1e-3) and np.allclose((out**2).sum(0), "
                      "64 * (x**2).sum(0), rtol=1e-4)",
    "mandelbrot": "assert rgb.any() and rgb.shape == (9, 12, 3)",
    "matmul_naive": "assert np.allclose(c, a @ b, atol=1e-4)",
    "matmul_tiled": "assert np.allclose(c, a @ b, atol=1e-4)",
    "transpose_naive": "assert np.array_equal(out, in_.T)",
    "transpose_tiled": "assert np.array_equal(out, in_.T)",
    "transpose_padded": "assert np.array_equal(out, in_.T)",
    "reduce_shared": REDUCE,
    "reduce_two_launches": REDUCE,
    "reduce_shuffle": REDUCE,
    "prefix_sum": "assert np.array_equal(out[:32], np.cumsum(x[:32])) and sums[0] == x[:32].sum()",
    "pi_atomic_thread": PI,
    "pi_atomic_block": PI,
    "pi_atomic_warp": PI,
    "grayscale": GRAY,
    "grayscale_row_on_x": GRAY,
    "invert": "assert np.array_equal(out, 255 - in_)",
    "invert_tiled": "assert np.array_equal(out, 255 - in_)",
    "box_blur": BLUR,
    "box_blur_tiled": BLUR,
    "sobel": SOBEL,
    "sobel_tiled": SOBEL,
    "convolution_constant": "assert out.any() and np.abs(out.astype(int) - in_).mean() < 40",
    "resize_texture": RESIZE,
    "rotate_texture": ROTATE,
    "ripple": RIPPLE,
    "histogram_global": "assert np.array_equal(bins, np.bincount(gray.ravel(), minlength=256))",
    "histogram_shared": "assert np.array_equal(bins, np.bincount(gray.ravel(), minlength=256))",
    "histogram_equalisation": "assert np.array_equal(bins, np.bincount(gray.ravel(), minlength=256))",
}


def installed(module):
    return importlib.util.find_spec(module) is not None


def execute(form, module, environment):
    if not installed(module) or not installed("numpy"):
        print(f"SKIPPED: {module} is not installed, so its forms were parsed and not run")
        return
    with tempfile.TemporaryDirectory() as folder:
        if installed("PIL"):
            from PIL import Image
            Image.effect_mandelbrot((13, 9), (-2, -1.2, 0.6, 1.2), 60).convert("RGB").save(f"{folder}/picture.png")
        for kernel, options in SMALL.items():
            if kernel in LACKING[form] or ("picture.png" in options and not installed("PIL")):
                print(f"SKIPPED: {kernel} in {form}")
                continue
            made = run("code", kernel, "--form", form, *options, cwd=folder)
            if made.returncode != 0:
                failures.append(f"{kernel} {form}: {made.stderr.strip()}")
                continue
            program = made.stdout + CHECKS[kernel] + "\n"
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200,
                                  cwd=folder, env={**os.environ, **environment})
            if "cl_khr_subgroups" in done.stderr:
                print(f"SKIPPED: {kernel} in {form}, for the device has no sub-groups")
            elif done.returncode != 0:
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
