"""Texture and surface objects of the CUDA driver API, for the notes that texture_cases.py writes."""
import ctypes as c

from texture_cases import texel_bytes

FORMATS = {"u8": 1, "u16": 2, "u32": 3, "s8": 8, "s16": 9, "s32": 0xa, "f16": 0x10, "f32": 0x20}
MODES = {"wrap": 0, "clamp": 1, "mirror": 2, "border": 3}
LAYERED, SURFACE, CUBE = 1, 2, 4


class ArrayDescriptor(c.Structure):
    _fields_ = [("width", c.c_size_t), ("height", c.c_size_t), ("depth", c.c_size_t), ("format", c.c_int), ("channels", c.c_uint), ("flags", c.c_uint)]


class Copy(c.Structure):
    _fields_ = [(f"src_{n}", c.c_size_t) for n in ("x", "y", "z", "lod")] + [
        ("src_type", c.c_int), ("src_host", c.c_void_p), ("src_device", c.c_uint64), ("src_array", c.c_void_p), ("reserved0", c.c_void_p),
        ("src_pitch", c.c_size_t), ("src_height", c.c_size_t)] + [(f"dst_{n}", c.c_size_t) for n in ("x", "y", "z", "lod")] + [
        ("dst_type", c.c_int), ("dst_host", c.c_void_p), ("dst_device", c.c_uint64), ("dst_array", c.c_void_p), ("reserved1", c.c_void_p),
        ("dst_pitch", c.c_size_t), ("dst_height", c.c_size_t), ("width", c.c_size_t), ("height", c.c_size_t), ("depth", c.c_size_t)]


class Linear(c.Structure):
    _fields_ = [("pointer", c.c_uint64), ("format", c.c_int), ("channels", c.c_uint), ("bytes", c.c_size_t)]


class Resource(c.Union):
    _fields_ = [("array", c.c_void_p), ("linear", Linear), ("reserved", c.c_int * 32)]


class ResourceDescriptor(c.Structure):
    _fields_ = [("type", c.c_int), ("resource", Resource), ("flags", c.c_uint)]


class TextureDescriptor(c.Structure):
    _fields_ = [("modes", c.c_int * 3), ("filter", c.c_int), ("flags", c.c_uint), ("anisotropy", c.c_uint), ("mipmap_filter", c.c_int),
                ("bias", c.c_float), ("min_level", c.c_float), ("max_level", c.c_float), ("border", c.c_float * 4), ("reserved", c.c_int * 12)]


def checked(status, what):
    if status != 0:
        raise RuntimeError(f"{what}: CUDA error {status}")


def create(cupy, note):
    """The handle, and what has to live as long as it."""
    geometry, kind, channels, width, height, depth, *modes, filter_, where, how = note.split()
    channels, width, height, depth = int(channels), int(width), int(height), int(depth)
    cuda = c.CDLL("libcuda.so.1")
    texel = channels * int(kind[1:]) // 8
    count = width * max(height, 1) * max(depth, 1)
    data = texel_bytes(kind, count * channels)
    resource, keep = ResourceDescriptor(), [data]
    if geometry == "linear":
        memory = cupy.frombuffer(data, dtype=cupy.uint8).copy()
        keep.append(memory)
        resource.type = 2
        resource.resource.linear = Linear(memory.data.ptr, FORMATS[kind], channels, len(data))
    else:
        flags = LAYERED * geometry.startswith("a") | CUBE * geometry.endswith("cube") | SURFACE * (how == "surface")
        array = c.c_void_p()
        descriptor = ArrayDescriptor(width, height, depth, FORMATS[kind], channels, flags)
        checked(cuda.cuArray3DCreate_v2(c.byref(array), c.byref(descriptor)), "cuArray3DCreate")
        copy = Copy(src_type=1, src_host=c.cast(c.c_char_p(data), c.c_void_p), src_pitch=width * texel, src_height=max(height, 1), dst_type=3,
                    dst_array=array, width=width * texel, height=max(height, 1), depth=max(depth, 1))
        checked(cuda.cuMemcpy3D_v2(c.byref(copy)), "cuMemcpy3D")
        resource.type = 0
        resource.resource.array = array
    handle = c.c_uint64()
    if how == "surface":
        checked(cuda.cuSurfObjectCreate(c.byref(handle), c.byref(resource)), "cuSurfObjectCreate")
        return handle.value, keep
    texture = TextureDescriptor()
    for i, mode in enumerate(modes):
        texture.modes[i] = MODES[mode]
    texture.filter = int(filter_ == "linear")
    texture.flags = (0 if how == "normalized" else 1) | (2 if where == "normalized" else 0)
    checked(cuda.cuTexObjectCreate(c.byref(handle), c.byref(resource), c.byref(texture), None), "cuTexObjectCreate")
    return handle.value, keep
