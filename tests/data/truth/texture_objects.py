"""Texture and surface objects of the CUDA driver API, from what a launch file says about a texture (docs/launch-file.md)
or from the notes that texture_cases.py writes."""
import ctypes as c

FORMATS = {"uint8": 1, "uint16": 2, "uint32": 3, "int8": 8, "int16": 9, "int32": 0xa, "float16": 0x10, "float32": 0x20}
BYTES = {"uint8": 1, "uint16": 2, "uint32": 4, "int8": 1, "int16": 2, "int32": 4, "float16": 2, "float32": 4}
SHORT = {"u": "uint", "s": "int", "f": "float"}
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


class Plane(c.Structure):
    _fields_ = [("pointer", c.c_uint64), ("format", c.c_int), ("channels", c.c_uint), ("width", c.c_size_t), ("height", c.c_size_t),
                ("pitch", c.c_size_t)]


class Resource(c.Union):
    _fields_ = [("array", c.c_void_p), ("linear", Linear), ("plane", Plane), ("reserved", c.c_int * 32)]


class ResourceDescriptor(c.Structure):
    _fields_ = [("type", c.c_int), ("resource", Resource), ("flags", c.c_uint)]


class TextureDescriptor(c.Structure):
    _fields_ = [("modes", c.c_int * 3), ("filter", c.c_int), ("flags", c.c_uint), ("anisotropy", c.c_uint), ("mipmap_filter", c.c_int),
                ("bias", c.c_float), ("min_level", c.c_float), ("max_level", c.c_float), ("border", c.c_float * 4), ("reserved", c.c_int * 12)]


def checked(status, what):
    if status != 0:
        raise RuntimeError(f"{what}: CUDA error {status}")


class Array:
    """A CUDA array, or each level of a mipmap."""

    def __init__(self, cuda, spec, data, surface):
        self.cuda, self.parts = cuda, []
        shape, levels = spec["shape"], spec.get("levels", 1)
        width, height = spec["width"], spec.get("height", 0)
        depth = spec.get("layers", 0) or spec.get("depth", 0)
        texel = spec["channels"] * BYTES[spec["dtype"]]
        flags = LAYERED * shape.endswith("layered") | CUBE * shape.startswith("cube") | SURFACE * surface
        descriptor = ArrayDescriptor(width, height, depth, FORMATS[spec["dtype"]], spec["channels"], flags)
        self.whole = c.c_void_p()
        if levels == 1:
            checked(cuda.cuArray3DCreate_v2(c.byref(self.whole), c.byref(descriptor)), "cuArray3DCreate")
        else:
            checked(cuda.cuMipmappedArrayCreate(c.byref(self.whole), c.byref(descriptor), levels), "cuMipmappedArrayCreate")
        at = 0
        for level in range(levels):
            array = self.whole
            if levels > 1:
                array = c.c_void_p()
                checked(cuda.cuMipmappedArrayGetLevel(c.byref(array), self.whole, level), "cuMipmappedArrayGetLevel")
            extent = (max(1, width >> level) * texel, max(1, height >> level),
                      max(1, depth >> level if shape == "3d" else depth))
            self.parts.append((array, extent, at))
            at += extent[0] * extent[1] * extent[2]
        self.bytes = at
        self.transfer(c.create_string_buffer(bytes(data[:at]), at), True)

    def transfer(self, memory, to_array):
        for array, (row, rows, slices), at in self.parts:
            host = c.addressof(memory) + at
            copy = Copy(width=row, height=rows, depth=slices)
            if to_array:
                copy.src_type, copy.src_host, copy.src_pitch, copy.src_height, copy.dst_type, copy.dst_array = 1, host, row, rows, 3, array
            else:
                copy.dst_type, copy.dst_host, copy.dst_pitch, copy.dst_height, copy.src_type, copy.src_array = 1, host, row, rows, 3, array
            checked(self.cuda.cuMemcpy3D_v2(c.byref(copy)), "cuMemcpy3D")

    def read(self):
        memory = c.create_string_buffer(self.bytes)
        self.transfer(memory, False)
        return memory.raw


def make(spec, data, pointer=0, surface=False):
    """The handle, and the array behind it; none where the texture reads memory at `pointer`."""
    cuda = c.CDLL("libcuda.so.1")
    resource, array = ResourceDescriptor(), None
    if spec["shape"] == "linear":
        resource.type = 2
        resource.resource.linear = Linear(pointer, FORMATS[spec["dtype"]], spec["channels"], spec["width"] * spec["channels"] * BYTES[spec["dtype"]])
    elif "pitch" in spec:
        resource.type = 3
        resource.resource.plane = Plane(pointer, FORMATS[spec["dtype"]], spec["channels"], spec["width"], spec["height"], spec["pitch"])
    else:
        array = Array(cuda, spec, data, surface)
        resource.type = 0 if spec.get("levels", 1) == 1 else 1
        resource.resource.array = array.whole
    handle = c.c_uint64()
    if surface:
        checked(cuda.cuSurfObjectCreate(c.byref(handle), c.byref(resource)), "cuSurfObjectCreate")
        return handle.value, array
    texture = TextureDescriptor()
    for i, mode in enumerate(spec["address"]):
        texture.modes[i] = MODES[mode]
    texture.filter = int(spec["filter"] == "linear")
    texture.mipmap_filter = int(spec.get("level_filter") == "linear")
    texture.max_level = spec.get("max_level", spec.get("levels", 1) - 1)
    texture.flags = (0 if spec["read"] == "float" else 1) | (2 if spec["normalized"] else 0)
    checked(cuda.cuTexObjectCreate(c.byref(handle), c.byref(resource), c.byref(texture), None), "cuTexObjectCreate")
    return handle.value, array


def create(cupy, note):
    """The handle of a case's texture, and what has to live as long as it."""
    from texture_cases import texel_bytes
    geometry, kind, channels, width, height, depth, *modes, filter_, where, how = note.split()[:12]
    levels, between = (note.split()[12:] + ["1", "point"])[:2]
    shape = {"a1d": "1d_layered", "a2d": "2d_layered", "acube": "cube_layered"}.get(geometry, geometry)
    spec = {"shape": shape, "dtype": SHORT[kind[0]] + kind[1:], "channels": int(channels), "width": int(width), "height": int(height),
            "depth": int(depth), "levels": int(levels), "address": modes, "filter": filter_, "level_filter": between,
            "normalized": where == "normalized", "read": "float" if how == "normalized" else "element"}
    count = sum(max(1, spec["width"] >> l) * max(1, spec["height"] >> l) * max(1, spec["depth"] >> l if shape == "3d" else spec["depth"])
                for l in range(spec["levels"])) * spec["channels"]
    data = texel_bytes(kind, count)
    memory = cupy.frombuffer(data, dtype=cupy.uint8).copy() if shape == "linear" else None
    handle, array = make(spec, data, memory.data.ptr if memory is not None else 0, how == "surface")
    return handle, (memory, array)
