"""The launches of cuda_programs.cu and curand_programs.cu, compiled by nvcc; needs no GPU."""
import json
import os
import subprocess

import numpy as np

from capture import FOLDER

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(4)


def floats(n, dtype=np.float32, low=-2.0, high=2.0):
    return rng.uniform(low, high, n).astype(dtype)


def ints(n, low=-1000, high=1000, dtype=np.int32):
    return rng.integers(low, high, n).astype(dtype)


def words(n, dtype=np.uint32):
    return rng.integers(0, np.iinfo(dtype).max, n, dtype=dtype, endpoint=True)


def zeros(n, dtype=np.int32):
    return np.zeros(n, dtype)


def case(entry, grid, block, *arguments, dtype="int32", rtol=0.0, shared=0, cooperative=False, source="cuda_programs"):
    name = "cuda_" + entry
    buffers, parameters = [], []
    for value in arguments:
        if isinstance(value, np.ndarray):
            value.tofile(os.path.join(FOLDER, f"{name}.b{len(buffers)}.bin"))
            parameters.append({"bytes": "00" * 8, "pointers": [[0, len(buffers), 0]]})
            buffers.append(value.nbytes)
        else:
            parameters.append({"bytes": value.tobytes().hex(), "pointers": []})
    shape = [list(s) + [1] * (3 - len(s)) for s in ((grid,) if isinstance(grid, int) else grid,
                                                    (block,) if isinstance(block, int) else block)]
    launch = {"name": name, "entry": entry, "ptx": source, "dtype": dtype, "rtol": rtol, "grid": shape[0], "block": shape[1],
              "shared_bytes": shared, "cooperative": cooperative, "buffers": buffers, "parameters": parameters}
    with open(os.path.join(FOLDER, name + ".launch"), "w") as file:
        json.dump(launch, file)


case("cg_tile_reduce", 3, 128, ints(384), zeros(24))
case("cg_coalesced", 4, 96, ints(384), zeros(1), zeros(384))
case("cg_scan", 2, 128, ints(256), zeros(256))
case("cg_grid_sync", 6, 64, floats(384), np.int32(3), dtype="float32", cooperative=True)
case("recursion", 1, 64, zeros(64))
case("queens_by_first_column", 1, 32, zeros(8), np.int32(8))
case("virtual_functions", 1, 64, floats(64), zeros(64, np.float32), dtype="float32")
case("function_pointers", 1, 96, ints(96), ints(96), zeros(96))
case("nbody", 3, 32, floats(96 * 7), zeros(96 * 7, np.float32), np.int32(96), np.float32(0.01), dtype="float32",
     shared=32 * 28)
case("half_math", 2, 64, floats(256, np.float16), floats(256, np.float16), zeros(256, np.float16), dtype="float16")
case("bfloat_math", 2, 64, (floats(128).view(np.uint32) >> 16).astype(np.uint16),
     (floats(128).view(np.uint32) >> 16).astype(np.uint16), zeros(128, np.uint16), dtype="uint16")
case("wmma_gemm", (2, 3), 32, floats(48 * 64, np.float16, -1, 1), floats(32 * 64, np.float16, -1, 1),
     zeros(48 * 32, np.float32), np.int32(32), np.int32(64), dtype="float32")
case("wmma_int8", 1, 32, ints(512, -128, 128, np.int8), ints(128, -128, 128, np.int8), zeros(256))
case("async_copy", 1, 64, floats(64 * 4 * 5), zeros(256, np.float32), np.int32(5), dtype="float32")
case("arrive_wait_barrier", 1, 128, ints(512), zeros(128))
case("dot_products", 1, 128, words(128), words(128), zeros(128))
case("integer_tricks", 1, 128, words(128), words(128), zeros(128), dtype="uint32")
case("wide_integers", 1, 64, words(64, np.uint64), words(64, np.uint64), zeros(192, np.uint64), dtype="uint64")
case("warp_matching", 2, 64, ints(128), zeros(128), dtype="uint32")
case("divergent_shuffle", 1, 32, ints(32), zeros(32))
case("spin_lock", 4, 64, zeros(1), zeros(1))
case("scoped_atomics", 4, 64, zeros(7), zeros(4))
case("look_back_scan", 12, 64, ints(740), zeros(740), zeros(12), zeros(12), np.int32(740))
case("determinants", 1, 32, floats(800), zeros(32, np.float32), dtype="float32")
case("special_functions", 1, 64, floats(64, np.float64), zeros(512, np.float64), dtype="float64")
case("float_intrinsics", 1, 64, floats(64), zeros(640, np.float32), dtype="float32")
case("conversions", 1, 64, floats(64, np.float64), zeros(512))
case("sha256_rounds", 2, 32, words(1024), zeros(512), dtype="uint32")
case("game_of_life", (3, 4), (16, 8), ints(45 * 31, 0, 2, np.uint8), zeros(45 * 31, np.uint8), np.int32(45), np.int32(31),
     dtype="uint8")
rows = np.cumsum(np.concatenate([[0], rng.integers(0, 90, 20)])).astype(np.int32)
case("sparse_product", 3, 256, rows, ints(int(rows[-1]), 0, 50), floats(int(rows[-1]), np.float64),
     floats(50, np.float64), zeros(20, np.float64), np.int32(20), dtype="float64")
case("switch_table", 1, 96, ints(96), zeros(96))
case("device_heap", 1, 64, zeros(64))
case("curand_philox", 2, 64, zeros(512, np.float32), np.uint64(1234), dtype="float32", source="curand_programs")
case("curand_xorwow", 1, 64, zeros(512, np.uint32), np.uint64(1234), dtype="uint32", source="curand_programs")
case("curand_normal", 1, 64, zeros(64, np.float32), np.uint64(1234), dtype="float32", source="curand_programs")
for program in ("cuda_programs", "curand_programs"):
    subprocess.run(["nvcc", "-ptx", "-arch=compute_80", "-lineinfo", "-w", "-o", os.path.join(FOLDER, program + ".ptx"),
                    program + ".cu"], check=True, cwd=HERE)
