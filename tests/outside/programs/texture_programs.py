"""The launches of texture_programs.cu, compiled by nvcc; needs no GPU."""
import json
import os
import subprocess

import numpy as np

from capture import FOLDER

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(6)


def floats(*shape, low=-2.0, high=2.0):
    return rng.uniform(low, high, shape).astype(np.float32)


def octets(*shape):
    return rng.integers(0, 256, shape, dtype=np.uint8)


class Texels:
    """An array of texels, and how it is read; a surface where nothing is said about that."""

    def __init__(self, data, shape, width, filter=None, address="clamp", **more):
        self.data = data
        self.spec = {"dtype": str(data.dtype), "shape": shape, "channels": more.pop("channels", 1), "width": width}
        if filter:
            self.spec |= {"address": [address] * 3, "filter": filter, "normalized": more.pop("normalized", False),
                          "read": more.pop("read", "element")}
        self.kind = "texture" if filter else "surface"
        self.spec |= more


def case(entry, grid, block, *arguments, dtype="float32"):
    name = "cuda_texture_" + entry
    buffers, parameters = [], []
    for value in arguments:
        data = value.data if isinstance(value, Texels) else value
        if isinstance(data, np.ndarray):
            data.tofile(os.path.join(FOLDER, f"{name}.b{len(buffers)}.bin"))
            parameter = {"bytes": "00" * 8, "pointers": [[0, len(buffers), 0]]}
            if isinstance(value, Texels):
                parameter = {"bytes": "00" * 8, "pointers": [], value.kind: {"buffer": len(buffers), **value.spec}}
            parameters.append(parameter)
            buffers.append(data.nbytes)
        else:
            parameters.append({"bytes": value.tobytes().hex(), "pointers": []})
    launch = {"name": name, "entry": entry, "ptx": "texture_programs", "dtype": dtype, "rtol": 0.0, "grid": [*grid, 1], "block": [*block, 1],
              "shared_bytes": 0, "cooperative": False, "buffers": buffers, "parameters": parameters}
    with open(os.path.join(FOLDER, name + ".launch"), "w") as file:
        json.dump(launch, file)


def size(width, height):
    return [np.int32(width), np.int32(height)]


def zeros(n, dtype=np.float32):
    return np.zeros(n, dtype)


def faces(n):
    """A smooth sky, so that neighbouring faces fit together."""
    return rng.uniform(0, 1, (6, n, n, 4)).astype(np.float32)


case("rotate_gray", (4, 6), (16, 8), Texels(floats(37, 53), "2d", 53, "linear", "wrap", height=37, normalized=True), zeros(61 * 47),
     *size(61, 47), np.float32(0.5))
case("volume_projection", (3, 3), (16, 16), Texels(floats(11, 13, 17), "3d", 17, "linear", "clamp", height=13, depth=11, normalized=True),
     zeros(45 * 39), *size(45, 39), np.int32(25))
case("blend_layers", (3, 5), (16, 8), Texels(octets(5, 21, 30, 4), "2d_layered", 30, "linear", "clamp", height=21, layers=5, channels=4, read="float"),
     zeros(48 * 35 * 4, np.uint8), *size(48, 35), np.int32(5), dtype="uint8")
case("environment", (8, 1), (64, 1), Texels(faces(12), "cube", 12, "linear", "wrap", height=12, layers=6, channels=4, normalized=True),
     floats(500, 3), zeros(2000), np.int32(500))
levels = np.concatenate([floats((64 >> l) * (32 >> l)) for l in range(6)])
case("receding_floor", (4, 5), (16, 8), Texels(levels, "2d", 64, "linear", "wrap", height=32, levels=6, level_filter="linear", max_level=5.0,
                                                normalized=True), zeros(60 * 40), *size(60, 40))
case("lookup_bytes", (4, 1), (96, 1), Texels(octets(1000), "linear", 1000, "point"), rng.integers(0, 998, 384).astype(np.int32),
     zeros(384, np.int32), np.int32(384), dtype="int32")
case("transfer_function", (4, 1), (96, 1), Texels(floats(64, 4), "1d", 64, "linear", "clamp", channels=4, normalized=True),
     floats(384, low=-0.2, high=1.2), zeros(384 * 4), np.int32(384))
case("mirror_surface", (3, 5), (16, 8), Texels(octets(33, 41, 4), "2d", 41, height=33, channels=4),
     Texels(np.zeros((33, 41, 4), np.uint8), "2d", 41, height=33, channels=4), *size(41, 33), dtype="uint8")
case("gather_edges", (3, 5), (16, 8), Texels(floats(35, 43), "2d", 43, "point", "clamp", height=35), zeros(43 * 35), *size(43, 35))
case("zoom_pitched", (4, 6), (16, 8), Texels(floats(40, 64), "2d", 50, "linear", "clamp", height=40, pitch=256), zeros(61 * 47), *size(61, 47))
subprocess.run(["nvcc", "-ptx", "-arch=compute_80", "-lineinfo", "-w", "-o", os.path.join(FOLDER, "texture_programs.ptx"),
                "texture_programs.cu"], check=True, cwd=HERE)
