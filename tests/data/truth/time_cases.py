#!/usr/bin/env python3
"""The launches whose times are recorded on real hardware: kernels of the catalogue, sizes from one block to 64 MB, block
shapes. Each (kernel, size) is a sweep over shapes. record_times.sh runs them, the test TimeTruth compares the model.

    time_cases.py lines FOLDER        the lines that time_launches.cu reads; cubins are FOLDER/KERNEL.cubin
    time_cases.py launches FOLDER     a launch file each, for `warplens run` and TimeTruth.Record
    time_cases.py split TIMES         what time_launches.cu printed, as the two files beside this one
"""
import json
import pathlib
import random
import sys
import zlib

LINE = (32, 64, 128, 256, 512, 1024)
PLANE = ((8, 8), (16, 16), (32, 8), (32, 32), (128, 1), (8, 32))


def ceil(a, b):
    return -(-a // b)


def buf(elements, bytes_, fill):
    return ("b", elements * bytes_, fill)


def one_d(kernel, sizes, args, blocks=LINE, entry=None, grid=None):
    for n in sizes:
        for block in blocks:
            blocks_ = grid or ceil(n, block)
            yield {"kernel": kernel, "entry": entry or kernel, "size": n, "grid": (blocks_, 1, 1), "block": (block, 1, 1),
                   "args": args(n, blocks_)}


def two_d(kernel, sizes, args, blocks=PLANE, entry=None):
    for width, height in sizes:
        for bx, by in blocks:
            yield {"kernel": kernel, "entry": entry or kernel, "size": width * height, "grid": (ceil(width, bx), ceil(height, by), 1),
                   "block": (bx, by, 1), "args": args(width, height)}


def cases():
    adds = lambda n, _: [buf(n, 4, "f"), buf(n, 4, "f"), buf(n, 4, "z"), ("i", n)]
    yield from one_d("vector_add", (32, 4096, 100_000, 500_000, 1_000_000, 5_592_405), adds)
    for grid in (30, 264, 2112):
        yield from one_d("grid_stride_add", (1_000_000,), adds, (64, 128, 256, 512), grid=grid)
    image = lambda w, h: [buf(3 * w * h, 1, "r"), buf(w * h, 1, "z"), ("i", w), ("i", h)]
    yield from two_d("grayscale", ((64, 48), (512, 512), (2048, 2048), (4096, 4096)), image)
    gray = lambda w, h: [buf(w * h, 1, "r"), buf(w * h, 1, "z"), ("i", w), ("i", h)]
    yield from two_d("sobel", ((512, 512), (2048, 2048)), gray)
    yield from two_d("box_blur", ((512, 512), (1536, 1024)), lambda w, h: [buf(3 * w * h, 1, "r"), buf(3 * w * h, 1, "z"), ("i", w), ("i", h), ("i", 3)])
    move = lambda w, h: [buf(w * h, 4, "f"), buf(w * h, 4, "z"), ("i", w), ("i", h)]
    yield from two_d("transpose_naive", ((256, 256), (1024, 1024), (2896, 2896)), move)
    yield from two_d("transpose_tiled", ((256, 256), (1024, 1024), (2896, 2896)), move, ((32, 32),))
    yield from two_d("transpose_padded", ((256, 256), (1024, 1024), (2896, 2896)), move, ((32, 32),))
    product = lambda w, h: [buf(w * h, 4, "f"), buf(w * h, 4, "f"), buf(w * h, 4, "z"), ("i", h), ("i", w), ("i", w)]
    yield from two_d("matmul_naive", ((64, 64), (256, 256), (512, 512)), product)
    yield from two_d("matmul_tiled", ((64, 64), (256, 256), (512, 512), (768, 768)), product, ((16, 16),))
    sums = lambda n, g: [buf(n, 4, "f"), buf(g, 4, "z"), ("i", n)]
    yield from one_d("reduce_shared", (1024, 100_000, 4_000_000, 16_000_000), sums)
    yield from one_d("reduce_shuffle", (1024, 50_000, 1_000_000, 16_000_000), sums)
    counts = lambda n, _: [buf(n, 1, "r"), buf(256, 4, "z"), ("i", n)]
    yield from one_d("histogram_global", (4096, 262_144, 2_000_000), counts)
    yield from one_d("histogram_shared", (4096, 262_144, 4_000_000), counts)
    yield from two_d("mandelbrot", ((128, 128), (640, 480), (1920, 1080)),
                     lambda w, h: [buf(3 * w * h, 1, "z"), ("i", w), ("i", h), ("f", -0.5), ("f", 0.0), ("f", 3.0 / w), ("i", 100)])
    pi = lambda n, _: [buf(1, 4, "z"), ("i", 20), ("i", 1), ("i", n)]
    yield from one_d("pi_atomic_thread", (4096, 200_000), pi)
    yield from one_d("pi_atomic_warp", (4096, 200_000), pi)
    yield from one_d("pi_atomic_block", (4096, 200_000), pi)
    yield from one_d("prefix_sum", (4096, 1_000_000), lambda n, g: [buf(n, 4, "r"), buf(n, 4, "z"), buf(g, 4, "z"), ("i", n)],
                     entry="scan_blocks")
    for n in (2_000, 100_000):
        yield from one_d("loop_test", (n,), lambda n, _: [buf(n, 8, "z"), ("i", n), ("i", 100)])
    yield from one_d("local_array", (10_000, 200_000), lambda n, _: [buf(n * 8, 4, "r"), buf(n, 4, "z"), ("i", n), ("i", 8)],
                     (32, 128, 256, 512))


def later_cases():
    """Measured on another day: what was too fast in the model, and behind it, held out, kernels and shapes it never saw."""
    image = lambda w, h: [buf(3 * w * h, 1, "r"), buf(w * h, 1, "z"), ("i", w), ("i", h)]
    move = lambda w, h: [buf(w * h, 4, "f"), buf(w * h, 4, "z"), ("i", w), ("i", h)]
    yield from two_d("grayscale_row_on_x", ((512, 512), (2048, 2048)), image, ((1, 128), (16, 16), (32, 8), (128, 1)))
    yield from two_d("grayscale", ((512, 512), (2048, 2048)), image, ((1, 128), (2, 64)))
    yield from two_d("transpose_naive", ((512, 512), (1024, 1024), (2896, 2896)), move, ((32, 1), (32, 4), (64, 4)))
    counts = lambda n, _: [buf(n, 1, "r"), buf(256, 4, "z"), ("i", n)]
    yield from one_d("histogram_global", (16_384, 65_536, 600_000, 1_000_000, 4_000_000, 8_000_000), counts, (256,))
    adds = lambda n, _: [buf(n, 4, "f"), buf(n, 4, "f"), buf(n, 4, "z"), ("i", n)]
    yield from one_d("vector_add", (0x1000000,), adds, (128, 256, 512, 1024))


def later_held_out():
    colours = lambda w, h: [buf(3 * w * h, 1, "r"), buf(3 * w * h, 1, "z"), ("i", w), ("i", h)]
    gray = lambda w, h: [buf(w * h, 1, "r"), buf(w * h, 1, "z"), ("i", w), ("i", h)]
    square = ((16, 16),)
    yield from two_d("invert", ((333, 777), (1024, 1024), (3840, 2160)), colours)
    yield from two_d("box_blur_tiled", ((640, 480), (1920, 1080)), lambda w, h: colours(w, h) + [("i", 2)], square)
    yield from two_d("box_blur", ((777, 333), (1920, 1080)), lambda w, h: colours(w, h) + [("i", 1)], ((16, 16), (32, 8), (64, 2)))
    yield from two_d("sobel_tiled", ((640, 480), (1920, 1080), (4000, 3000)), gray, square)
    yield from two_d("sobel", ((1920, 1080),), gray, ((16, 16), (64, 4), (256, 1)))
    yield from two_d("convolution_constant", ((640, 480), (1920, 1080)), gray)
    yield from two_d("ripple", ((640, 480), (1920, 1080)), lambda w, h: colours(w, h) + [("f", 0.5), ("f", 40.0), ("f", 12.0)])
    yield from two_d("index_map_2d", ((100, 100), (1000, 1000)), lambda w, h: [buf(w * h, 4, "z"), buf(w * h, 4, "z"), ("i", w), ("i", h)])
    yield from two_d("transpose_padded", ((777, 333), (2000, 2000)), lambda w, h: [buf(w * h, 4, "f"), buf(w * h, 4, "z"), ("i", w), ("i", h)],
                     ((32, 32),))
    yield from two_d("matmul_tiled", ((320, 320), (1024, 1024)), lambda w, h: [buf(w * h, 4, "f")] * 2 + [buf(w * h, 4, "z"), ("i", h), ("i", w), ("i", w)],
                     square)
    yield from two_d("mandelbrot", ((800, 600),), lambda w, h: [buf(3 * w * h, 1, "z"), ("i", w), ("i", h), ("f", -0.75), ("f", 0.1), ("f", 0.3 / w), ("i", 200)],
                     ((8, 8), (16, 16), (32, 8), (128, 1)))
    yield from one_d("vector_add_unchecked", (65_536, 2_097_152), lambda n, _: [buf(n, 4, "f"), buf(n, 4, "f"), buf(n, 4, "z")])
    yield from one_d("register_spill", (20_000, 200_000), lambda n, _: [buf(64 * n, 4, "f"), buf(64 * n, 4, "z"), ("i", n)], (32, 128, 256))
    yield from one_d("reduce_shared", (3_000_001,), lambda n, g: [buf(n, 4, "f"), buf(g, 4, "z"), ("i", n)])
    yield from one_d("pi_atomic_warp", (1_000_000,), lambda n, _: [buf(1, 4, "z"), ("i", 20), ("i", 1), ("i", n)], (64, 256, 1024))


def last_held_out():
    """Chosen when the model of an SM had its rules: other sizes, and blocks of 96, 192, 384 and 768 threads."""
    colours = lambda w, h: [buf(3 * w * h, 1, "r"), buf(3 * w * h, 1, "z"), ("i", w), ("i", h)]
    image = lambda w, h: [buf(3 * w * h, 1, "r"), buf(w * h, 1, "z"), ("i", w), ("i", h)]
    gray = lambda w, h: [buf(w * h, 1, "r"), buf(w * h, 1, "z"), ("i", w), ("i", h)]
    move = lambda w, h: [buf(w * h, 4, "f"), buf(w * h, 4, "z"), ("i", w), ("i", h)]
    product = lambda w, h: [buf(w * h, 4, "f")] * 2 + [buf(w * h, 4, "z"), ("i", h), ("i", w), ("i", w)]
    adds = lambda n, _: [buf(n, 4, "f"), buf(n, 4, "f"), buf(n, 4, "z"), ("i", n)]
    sums = lambda n, g: [buf(n, 4, "f"), buf(g, 4, "z"), ("i", n)]
    plane = ((24, 8), (64, 4), (16, 24))
    yield from one_d("vector_add", (3_000_000, 12_000_000), adds, (96, 192, 384, 768))
    yield from one_d("vector_add_unchecked", (6_291_456,), lambda n, _: [buf(n, 4, "f"), buf(n, 4, "f"), buf(n, 4, "z")], (96, 384))
    yield from two_d("grayscale", ((3000, 2000),), image, plane)
    yield from two_d("sobel", ((3000, 2000),), gray, plane)
    yield from two_d("invert", ((2500, 1600),), colours, plane)
    yield from two_d("ripple", ((2500, 1600),), lambda w, h: colours(w, h) + [("f", 0.5), ("f", 40.0), ("f", 12.0)], plane)
    yield from two_d("convolution_constant", ((2500, 1600),), gray, plane)
    yield from two_d("box_blur", ((1200, 800),), lambda w, h: colours(w, h) + [("i", 4)], plane)
    yield from two_d("transpose_naive", ((1500, 1500),), move, ((16, 8), (64, 8)))
    yield from two_d("matmul_naive", ((768, 768),), product, ((16, 8), (32, 16)))
    yield from two_d("matmul_tiled", ((1280, 1280),), product, ((16, 16),))
    yield from two_d("index_map_2d", ((3000, 2000),), lambda w, h: [buf(w * h, 4, "z"), buf(w * h, 4, "z"), ("i", w), ("i", h)], plane)
    yield from two_d("mandelbrot", ((1200, 900),), lambda w, h: [buf(3 * w * h, 1, "z"), ("i", w), ("i", h), ("f", -0.5), ("f", 0.0), ("f", 3.0 / w), ("i", 300)], plane)
    yield from one_d("reduce_shared", (9_000_000,), sums, (128, 512))
    yield from one_d("reduce_shuffle", (5_000_000,), sums, (96, 192, 384))
    yield from one_d("prefix_sum", (3_000_000,), lambda n, g: [buf(n, 4, "r"), buf(n, 4, "z"), buf(g, 4, "z"), ("i", n)], (128, 512), entry="scan_blocks")
    yield from one_d("pi_atomic_block", (2_000_000,), lambda n, _: [buf(1, 4, "z"), ("i", 20), ("i", 1), ("i", n)], (128, 512))
    yield from one_d("loop_test", (4_000_000,), lambda n, _: [buf(n, 8, "z"), ("i", n), ("i", 50)], (96, 384))
    yield from one_d("register_spill", (1_000_000,), lambda n, _: [buf(64 * n, 4, "f"), buf(64 * n, 4, "z"), ("i", n)], (96, 192))
    yield from one_d("histogram_shared", (9_000_000,), lambda n, _: [buf(n, 1, "r"), buf(256, 4, "z"), ("i", n)], (192, 384))


def all_cases():
    """With a name each, and which half it is in: "seen" while the model was designed, or "held out"."""
    rows = []
    halves = [(case, None) for case in cases()]
    halves += [(case, "later seen") for case in later_cases()] + [(case, "later held out") for case in later_held_out()]
    halves += [(case, "last held out") for case in last_held_out()]
    for case, half in halves:
        block = "x".join(str(v) for v in case["block"] if v != 1) or "1"
        grid = f"-g{case['grid'][0]}" if case["kernel"] == "grid_stride_add" else ""
        case["name"] = f"{case['kernel']}-{case['size']}{grid}-{block if case['block'][1] == 1 else 'x'.join(map(str, case['block'][:2]))}"
        sweep = case["name"].rsplit("-", 1)[0]
        case["sweep"] = sweep
        case["half"] = half or ("seen" if zlib.crc32((sweep + "/2").encode()) % 2 == 0 else "held out")
        rows.append(case)
    return rows


# What the numbers are decides how atomics meet, and which elements of its array a thread touches.
decided_by_data = ("histogram_global", "histogram_shared", "local_array")


def random_bytes(count):
    return random.Random(1).randbytes(count)


def lines(folder):
    for case in all_cases():
        words = [case["name"], f"{folder}/{case['kernel']}.cubin", case["entry"], *map(str, case["grid"] + case["block"]), "0"]
        words += [":".join(str(v) for v in arg) for arg in case["args"]]
        print(" ".join(words))


def launches(folder):
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    root = pathlib.Path(__file__).resolve().parents[3]
    for case in all_cases():
        buffers, args = [], []
        for arg in case["args"]:
            if arg[0] != "b":
                args.append({"i32": arg[1]} if arg[0] == "i" else {"f32": arg[1]})
                continue
            buffer = {"name": f"b{len(buffers)}", "bytes": arg[1], "dtype": "uint8"}
            if arg[2] == "r" and case["kernel"] in decided_by_data:
                file = out / f"random-{arg[1]}.bin"
                if not file.exists():
                    file.write_bytes(random_bytes(arg[1]))
                buffer["file"] = file.name
            args.append({"buffer": buffer["name"]})
            buffers.append(buffer)
        launch = {"ptx": str(root / f"tests/data/golden/ptx/{case['kernel']}.ptx"), "entry": case["entry"], "grid": case["grid"],
                  "block": case["block"], "shared_bytes": 0, "cooperative": False, "buffers": buffers, "args": args}
        (out / (case["name"] + ".json")).write_text(json.dumps(launch))


HEAD = """# Microseconds on an H200, by record_times.sh: the launch, then 10th percentile, median and 90th of 30 launches between
# two events (plain), of 30 after a kernel that keeps the device busy (busy), and of 10 of those with a cold L2 (cold).
"""


def split(times):
    half = {case["name"]: case["half"] for case in all_cases()}
    rows = pathlib.Path(times).read_text().splitlines()
    empty = next(row for row in rows if row.startswith("# empty_kernel"))
    for names, file in ((("seen", "later seen"), "times_h200.txt"), (("held out",), "times_held_out_h200.txt"),
                        (("later held out",), "times_later_h200.txt")):
        text = HEAD + empty + "\n" + "".join(row + "\n" for row in rows if row[0] != "#" and half[row.split()[0]] in names)
        pathlib.Path(__file__).with_name(file).write_text(text)


if __name__ == "__main__":
    {"lines": lines, "launches": launches, "split": split}[sys.argv[1]](sys.argv[2])
