"""What each function of the driver API answers to use and misuse: a line a case, "name: codes and what was read".

  call_codes.py LIBRARY [CASE…]        prints it; each case in a process of its own

call_codes.txt beside this file is what NVIDIA's driver printed, call_codes_ours.txt has the cases in which ours answers
otherwise, each with the reason, and tests/tools/call_codes_test.py holds our driver to both. Where a library crashes, the line
ends with "crash" and the signal, behind the codes of the calls that came back.
"""
import ctypes as c
import concurrent.futures
import os
import pathlib
import re
import signal
import sys

P, U, U64, I, Z = c.c_void_p, c.c_uint, c.c_uint64, c.c_int, c.c_size_t
PTX = b""".version 7.0
.target sm_50
.address_size 64
.global .u32 counter = 7;
.const .u32 weights[4];
.global .texref tex;
.global .surfref surf;
.visible .entry add(.param .u64 a, .param .u32 n)
{
.reg .b64 %a;
.reg .b32 %x;
ld.param.u64 %a, [a];
ld.global.u32 %x, [%a];
add.u32 %x, %x, 1;
st.global.u32 [%a], %x;
ret;
}
.visible .entry nothing()
{
ret;
}
.visible .entry bad()
{
.reg .b64 %a;
mov.u64 %a, 64;
st.global.u32 [%a], 5;
ret;
}
"""
BIG = 1 << 62


class Driver:
    def __init__(self, path, tell):
        self.library, self.note = c.CDLL(path), tell

    def __getattr__(self, name):
        def call(*arguments):
            code = getattr(self.library, name)(*arguments)
            self.note(code)
            return code
        return call

    def quiet(self, name, *arguments):
        """A call that is not the case's own: it must work."""
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            raise RuntimeError(f"{name}: {code}")

    def init(self):
        self.quiet("cuInit", 0)

    def context(self):
        self.init()
        made = P()
        self.quiet("cuCtxCreate_v2", c.byref(made), 0, 0)
        return made

    def memory(self, size=4096):
        made = U64()
        self.quiet("cuMemAlloc_v2", c.byref(made), Z(size))
        return made

    def module(self):
        made = P()
        self.quiet("cuModuleLoadData", c.byref(made), PTX)
        return made

    def function(self, name=b"add"):
        made = P()
        self.quiet("cuModuleGetFunction", c.byref(made), self.module(), name)
        return made

    def stream(self):
        made = P()
        self.quiet("cuStreamCreate", c.byref(made), 0)
        return made

    def event(self):
        made = P()
        self.quiet("cuEventCreate", c.byref(made), 0)
        return made

    def library_of(self):
        made = P()
        self.quiet("cuLibraryLoadData", c.byref(made), PTX, None, None, 0, None, None, 0)
        return made

    def array(self, width=16, height=0, depth=0, channels=1, kind=0x20, flags=0):
        made = P()
        self.quiet("cuArray3DCreate_v2", c.byref(made), c.byref(Array3D(width, height, depth, kind, channels, flags)))
        return made

    def launch(self, function, grid=(1, 1, 1), block=(1, 1, 1), shared=0, stream=None, arguments=None, extra=None):
        return self.cuLaunchKernel(function, *map(U, grid), *map(U, block), U(shared), stream, arguments, extra)


class Array3D(c.Structure):
    _fields_ = [("w", Z), ("h", Z), ("d", Z), ("kind", I), ("channels", U), ("flags", U)]


class Array2D(c.Structure):
    _fields_ = [("w", Z), ("h", Z), ("kind", I), ("channels", U)]


class Copy2D(c.Structure):
    _fields_ = [("sx", Z), ("sy", Z), ("st", I), ("sh", P), ("sd", U64), ("sa", P), ("sp", Z),
                ("dx", Z), ("dy", Z), ("dt", I), ("dh", P), ("dd", U64), ("da", P), ("dp", Z), ("w", Z), ("h", Z)]


class Copy3D(c.Structure):
    _fields_ = [("sx", Z), ("sy", Z), ("sz", Z), ("slod", Z), ("st", I), ("sh", P), ("sd", U64), ("sa", P), ("s0", P),
                ("sp", Z), ("sht", Z), ("dx", Z), ("dy", Z), ("dz", Z), ("dlod", Z), ("dt", I), ("dh", P), ("dd", U64),
                ("da", P), ("d0", P), ("dp", Z), ("dht", Z), ("w", Z), ("h", Z), ("d", Z)]


HOST, DEVICE, ARRAY = 1, 2, 3
CASES = {}


def case(made):
    CASES[made.__name__] = made
    return made


@case
def device_handles(d):
    d.init()
    n, text = I(), c.create_string_buffer(64)
    for ordinal in (0, 1, -1, 99):
        d.cuDeviceGet(c.byref(n), ordinal)
    for ordinal in (0, 7):
        d.cuDeviceComputeCapability(c.byref(n), c.byref(n), ordinal)
        d.cuDeviceGetProperties(c.create_string_buffer(256), ordinal)
        d.cuDeviceGetUuid(c.create_string_buffer(16), ordinal)
        d.cuDeviceGetUuid_v2(c.create_string_buffer(16), ordinal)
        d.cuDeviceGetPCIBusId(text, 64, ordinal)
        d.cuDeviceGetExecAffinitySupport(c.byref(n), 0, ordinal)
        d.cuDeviceGetTexture1DLinearMaxWidth(c.byref(Z()), 0x20, 1, ordinal)
        d.cuDevicePrimaryCtxGetState(ordinal, c.byref(U()), c.byref(n))
        d.cuDeviceTotalMem_v2(c.byref(Z()), ordinal)
        d.cuDeviceGetAttribute(c.byref(n), 1, ordinal)


@case
def device_bus_ids(d):
    d.init()
    n, text = I(), c.create_string_buffer(64)
    d.cuDeviceGetPCIBusId(text, 64, 0)
    d.cuDeviceGetByPCIBusId(c.byref(n), text)
    d.note(n.value)
    for wrong in (b"0000:ff:1f.0", b"nonsense", b""):
        d.cuDeviceGetByPCIBusId(c.byref(n), wrong)


@case
def device_texts(d):
    d.init()
    text = c.create_string_buffer(64)
    for room in (64, 4, 0, -1):
        d.cuDeviceGetPCIBusId(text, room, 0)


@case
def device_names(d):
    d.init()
    text = c.create_string_buffer(64)
    for room in (64, 4, 0, -1):
        d.cuDeviceGetName(text, room, 0)


@case
def device_attributes(d):
    d.init()
    n = I()
    d.cuDeviceGetAttribute(c.byref(n), 99999, 0)
    d.cuDeviceGetAttribute(c.byref(n), 0, 0)
    d.cuDeviceGetExecAffinitySupport(c.byref(n), 99, 0)


@case
def device_texture_widths(d):
    d.init()
    for kind, channels in ((0x20, 3), (0x99, 1)):
        d.cuDeviceGetTexture1DLinearMaxWidth(c.byref(Z()), kind, channels, 0)


@case
def peers(d):
    context = d.context()
    n = I()
    d.cuDeviceCanAccessPeer(c.byref(n), 0, 0)
    d.note(n.value)
    d.cuDeviceCanAccessPeer(c.byref(n), 0, 5)
    a, b = d.memory(), d.memory()
    d.cuMemcpyPeer(a, context, b, context, Z(4096))
    d.cuMemcpyPeerAsync(a, context, b, context, Z(4096), None)
    d.cuMemcpyPeer(a, context, b, context, Z(0))


@case
def primary_context(d):
    d.init()
    made, n, flags = P(), I(), U()
    d.cuDevicePrimaryCtxRelease_v2(0)
    d.cuDevicePrimaryCtxSetFlags_v2(0, 4)
    d.cuDevicePrimaryCtxGetState(0, c.byref(flags), c.byref(n))
    d.note((flags.value, n.value))
    d.cuDevicePrimaryCtxRetain(c.byref(made), 0)
    d.cuDevicePrimaryCtxGetState(0, c.byref(flags), c.byref(n))
    d.note((flags.value, n.value))
    d.cuDevicePrimaryCtxSetFlags_v2(0, 0xffff)
    d.cuDevicePrimaryCtxRelease_v2(3)
    d.cuCtxDestroy_v2(made)
    d.cuDevicePrimaryCtxRelease_v2(0)
    d.cuDevicePrimaryCtxRelease_v2(0)
    d.cuDevicePrimaryCtxGetState(0, c.byref(flags), c.byref(n))
    d.note(n.value)


@case
def context_creation(d):
    d.init()
    made = P()
    d.cuCtxCreate_v3(c.byref(made), None, 0, 0, 0)
    d.cuCtxCreate_v2(c.byref(made), 0xffffff, 0)
    d.cuCtxCreate_v2(c.byref(made), 0, 4)
    d.cuCtxCreate_v2(c.byref(made), 5, 0)
    d.cuCtxGetApiVersion(made, c.byref(U()))


@case
def context_settings(d):
    context = d.context()
    n, flags, ident = I(), U(), c.c_ulonglong()
    d.cuCtxGetCacheConfig(c.byref(n))
    d.note(n.value)
    d.cuCtxSetCacheConfig(1)
    d.cuCtxGetCacheConfig(c.byref(n))
    d.note(n.value)
    d.cuCtxSetCacheConfig(77)
    d.cuCtxGetSharedMemConfig(c.byref(n))
    d.cuCtxSetSharedMemConfig(1)
    d.cuCtxSetSharedMemConfig(77)
    d.cuCtxGetFlags(c.byref(flags))
    d.note(flags.value)
    d.cuCtxSetFlags(4)
    d.cuCtxGetFlags(c.byref(flags))
    d.note(flags.value)
    d.cuCtxSetFlags(0xffff)
    d.cuCtxGetId(context, c.byref(ident))
    d.cuCtxGetId(None, c.byref(ident))
    d.cuCtxGetDevice_v2(c.byref(n), context)
    d.cuCtxSynchronize_v2(context)
    d.cuCtxResetPersistingL2Cache()


@case
def context_limits(d):
    d.context()
    size = Z()
    for limit in (0, 1, 2, 3, 4, 5, 6, 99, -1):
        d.cuCtxGetLimit(c.byref(size), limit)
    d.cuCtxSetLimit(0, Z(4096))
    d.cuCtxGetLimit(c.byref(size), 0)
    d.note(size.value)
    d.cuCtxSetLimit(2, Z(1 << 24))
    d.cuCtxSetLimit(99, Z(1))
    d.cuCtxSetLimit(2, Z(BIG))
    d.cuCtxSetLimit(0, Z(BIG))


@case
def context_limit_values(d):
    """What the limits are, and what becomes of values that are too large."""
    d.context()
    size = Z()
    for limit in range(0, 12):
        if d.cuCtxGetLimit(c.byref(size), limit) == 0:
            d.note(size.value)
    for limit, value in ((0, 1 << 19), (1, 1 << 16), (1, BIG), (2, 1 << 24), (2, BIG), (4, 64), (4, BIG), (5, 64), (5, 4096),
                         (6, 0), (6, BIG), (7, 1), (8, 1), (9, 1)):
        d.cuCtxSetLimit(limit, Z(value))
        if d.cuCtxGetLimit(c.byref(size), limit) == 0:
            d.note(size.value)


@case
def context_attach(d):
    context, got = d.context(), P()
    d.cuCtxAttach(c.byref(got), 0)
    d.note(got.value == context.value)
    d.cuCtxAttach(c.byref(got), 1)
    d.cuCtxDetach(context)
    d.cuCtxSynchronize()
    d.cuCtxDetach(context)
    d.cuCtxSynchronize()


@case
def context_stack(d):
    d.init()
    got = P()
    d.cuCtxPopCurrent_v2(c.byref(got))
    context = d.context()
    d.cuCtxPushCurrent_v2(context)
    d.cuCtxPopCurrent_v2(None)
    d.cuCtxPopCurrent_v2(c.byref(got))
    d.cuCtxGetCurrent(c.byref(got))
    d.note(got.value)
    d.cuCtxSetCurrent(None)
    d.cuCtxGetDevice(c.byref(I()))


@case
def memory_sizes(d):
    d.context()
    a, p = U64(), P()
    for size in (0, 1, BIG, (1 << 64) - 1):
        if d.cuMemAlloc_v2(c.byref(a), Z(size)) == 0:
            d.cuMemFree_v2(a)
        if d.cuMemAllocManaged(c.byref(a), Z(size), 1) == 0:
            d.cuMemFree_v2(a)
        if size != 1 << 62 and d.cuMemAllocHost_v2(c.byref(p), Z(size)) == 0:
            d.cuMemFreeHost(p)
    d.cuMemAllocManaged(c.byref(a), Z(16), 0)
    d.cuMemAllocManaged(c.byref(a), Z(16), 4)
    d.cuMemAllocManaged(c.byref(a), Z(16), 77)
    d.cuMemHostAlloc(c.byref(p), Z(16), 0xff)
    d.cuMemFree_v2(U64(0))
    d.cuMemFree_v2(U64(4096))
    d.cuMemFreeHost(None)


@case
def memory_pitch(d):
    d.context()
    a, pitch = U64(), Z()
    for width, height, element in ((12, 3, 4), (12, 3, 3), (0, 3, 4), (12, 0, 4), (BIG, 4, 4), ((1 << 64) - 1, 1, 4),
                                   (4096, BIG, 16), (12, 3, 0)):
        d.cuMemAllocPitch_v2(c.byref(a), c.byref(pitch), Z(width), Z(height), element)


@case
def memory_freed(d):
    d.context()
    a = d.memory()
    d.cuMemFree_v2(U64(a.value + 256))
    d.cuMemFree_v2(a)
    d.cuMemFree_v2(a)
    d.cuMemcpyHtoD_v2(a, bytes(16), Z(16))
    d.cuMemsetD8_v2(a, 0, Z(16))
    d.cuMemGetAddressRange_v2(c.byref(a), c.byref(Z()), a)


@case
def memory_copies(d):
    d.context()
    a, host = d.memory(), c.create_string_buffer(8192)
    for size in (0, 4096, 4097, BIG):
        d.cuMemcpyHtoD_v2(a, host, Z(size))
        d.cuMemcpyDtoH_v2(host, a, Z(size))
        d.cuMemcpyDtoD_v2(a, a, Z(size))
        d.cuMemcpyHtoDAsync_v2(a, host, Z(size), None)
    d.cuMemcpyHtoD_v2(U64(0), host, Z(4))
    d.cuMemcpyHtoD_v2(a, None, Z(4))
    d.cuMemcpyDtoH_v2(None, a, Z(4))
    d.cuMemcpyHtoD_v2(U64(0), None, Z(0))


def memsets():
    """Each function of a line: its name, the bytes of an element, and what else it takes."""
    for name, bytes_each in (("D8", 1), ("D16", 2), ("D32", 4)):
        for tail in ("_v2", "Async"):
            yield name, tail, bytes_each, [None] if tail == "Async" else []


@case
def memory_sets(d):
    d.context()
    a = d.memory()
    for name, tail, bytes_each, more in memsets():
        for count in (0, 8, 4096 // bytes_each, 4096 // bytes_each + 1):
            getattr(d, f"cuMemset{name}{tail}")(a, U(1), Z(count), *more)
        getattr(d, f"cuMemset{name}{tail}")(U64(a.value + 1), U(1), Z(4), *more)


@case
def row_sets(d):
    d.context()
    a = d.memory()
    for name, tail, _, more in memsets():
        for pitch, width, height in ((512, 8, 4), (512, 8, 0), (512, 0, 4), (4, 8, 4), (512, 8, 9), (0, 8, 1), (514, 4, 2)):
            getattr(d, f"cuMemsetD2{name}{tail}")(a, Z(pitch), U(1), Z(width), Z(height), *more)


@case
def memory_sets_without_end(d):
    d.context()
    a = d.memory()
    for name, tail, _, more in memsets():
        getattr(d, f"cuMemset{name}{tail}")(a, U(1), Z(BIG), *more)


@case
def row_sets_without_end(d):
    d.context()
    a = d.memory()
    for name, tail, _, more in memsets():
        getattr(d, f"cuMemsetD2{name}{tail}")(a, Z(512), U(1), Z(8), Z(BIG), *more)


@case
def memory_of_no_bytes(d):
    d.context()
    p, a, pool = P(1), U64(1), P()
    d.cuMemAllocHost_v2(c.byref(p), Z(0))
    d.note(p.value)
    d.cuMemHostAlloc(c.byref(p), Z(0), 0)
    d.note(p.value)
    d.cuMemAllocAsync(c.byref(a), Z(0), None)
    d.note(a.value)
    d.quiet("cuMemPoolCreate", c.byref(pool), c.byref(PoolProps(kind=1, where=1)))
    a = U64(1)
    d.cuMemAllocFromPoolAsync(c.byref(a), Z(0), pool, None)
    d.note(a.value)
    d.cuMemFreeAsync(a, None)


@case
def memory_pitch_of_much(d):
    d.context()
    a, pitch = U64(), Z()
    for width, height in ((4096, 1 << 40), (1 << 40, 1), (1 << 33, 2), (1 << 62, 1)):
        d.cuMemAllocPitch_v2(c.byref(a), c.byref(pitch), Z(width), Z(height), 4)


def copy2d(driver, name, **fields):
    return getattr(driver, name)(c.byref(Copy2D(**fields)), *([None] if "Async" in name else []))


@case
def rows(d):
    d.context()
    a, host = d.memory(), c.create_string_buffer(8192)
    here = c.cast(host, P).value
    for name in ("cuMemcpy2D_v2", "cuMemcpy2DUnaligned_v2", "cuMemcpy2DAsync_v2"):
        good = dict(st=HOST, sh=here, sp=64, dt=DEVICE, dd=a.value, dp=512, w=32, h=8)
        for change in ({}, {"h": 9}, {"w": 0}, {"h": 0}, {"w": 65}, {"sp": 16}, {"dp": 16}, {"dt": 99}, {"dt": ARRAY},
                       {"sh": None}, {"dd": 0}, {"h": BIG}, {"w": BIG, "h": 1}, {"dy": BIG}, {"dx": 500}, {"dp": BIG}):
            copy2d(d, name, **{**good, **change})


def copy3d(driver, name, **fields):
    return getattr(driver, name)(c.byref(Copy3D(**fields)), *([None] if "Async" in name else []))


@case
def boxes(d):
    d.context()
    a, host = d.memory(), c.create_string_buffer(8192)
    here = c.cast(host, P).value
    good = dict(st=HOST, sh=here, sp=16, sht=4, dt=DEVICE, dd=a.value, dp=64, dht=8, w=16, h=4, d=8)
    for name in ("cuMemcpy3D_v2", "cuMemcpy3DAsync_v2"):
        for change in ({}, {"d": 9}, {"w": 0}, {"h": 0}, {"d": 0}, {"dz": 1}, {"dp": 8}, {"dht": 2}, {"st": 0}, {"slod": 1},
                       {"d": BIG}, {"dht": BIG}, {"dz": BIG}):
            copy3d(d, name, **{**good, **change})


@case
def box_heights(d):
    """Layers with fewer rows than are copied, or with no number of rows."""
    d.context()
    a, host = d.memory(1 << 16), c.create_string_buffer(1 << 16)
    here = c.cast(host, P).value
    good = dict(st=HOST, sh=here, sp=16, sht=4, dt=DEVICE, dd=a.value, dp=64, dht=8, w=16, h=4, d=8)
    for change in ({"sht": 2}, {"sht": 2, "d": 1}, {"dht": 2, "d": 1}, {"dht": 0}, {"dht": 0, "d": 1}, {"sht": 0}, {"dp": 0},
                   {"sp": 0, "h": 1}, {"sp": 8, "h": 1, "d": 1}, {"dy": 6}, {"dy": 6, "d": 1}, {"dx": 56}):
        copy3d(d, "cuMemcpy3D_v2", **{**good, **change})


@case
def copies_round_64_bits(d):
    """Offsets that are 0 when they are computed in 64 bits: what is answered, and what is there behind it."""
    d.context()
    a, host, back = d.memory(), c.create_string_buffer(b"\1" * 8192, 8192), c.create_string_buffer(4096)
    flat = dict(st=HOST, sh=c.cast(host, P).value, sp=64, dt=DEVICE, dd=a.value, dp=512, w=32, h=8)
    deep = dict(st=HOST, sh=c.cast(host, P).value, sp=16, sht=4, dt=DEVICE, dd=a.value, dp=64, dht=8, w=16, h=4, d=8)
    for copy, name, good, change in ((copy2d, "cuMemcpy2D_v2", flat, {}), (copy2d, "cuMemcpy2D_v2", flat, {"dy": BIG}),
                                     (copy2d, "cuMemcpy2D_v2", flat, {"dy": BIG + 1, "h": 7}), (copy3d, "cuMemcpy3D_v2", deep, {}),
                                     (copy3d, "cuMemcpy3D_v2", deep, {"dz": BIG}), (copy3d, "cuMemcpy3D_v2", deep, {"dht": BIG})):
        d.quiet("cuMemsetD8_v2", a, 0, Z(4096))
        copy(d, name, **{**good, **change})
        d.quiet("cuMemcpyDtoH_v2", back, a, Z(4096))
        d.note((back.raw.find(1), back.raw.count(1)))


@case
def boxes_of_peers(d):
    context = d.context()
    a, host = d.memory(), c.create_string_buffer(8192)
    here = c.cast(host, P).value
    good = dict(st=HOST, sh=here, sp=16, sht=4, dt=DEVICE, dd=a.value, dp=64, dht=8, w=16, h=4, d=8, s0=context.value,
                d0=context.value)
    for name in ("cuMemcpy3DPeer", "cuMemcpy3DPeerAsync"):
        for change in ({}, {"d": 9}, {"d": 0}):
            copy3d(d, name, **{**good, **change})


@case
def array_shapes(d):
    d.context()
    made, back, flat = P(), Array3D(), Array2D()
    for w, h, depth, kind, channels, flags in (
            (16, 0, 0, 0x20, 1, 0), (16, 8, 0, 0x20, 4, 0), (16, 8, 4, 1, 2, 0), (16, 8, 4, 1, 2, 1), (16, 16, 6, 0x20, 1, 4),
            (0, 0, 0, 0x20, 1, 0), (16, 0, 0, 0x20, 3, 0), (16, 0, 0, 0x99, 1, 0), (16, 0, 0, 0x20, 0, 0), (16, 8, 6, 0x20, 1, 4),
            (16, 16, 5, 0x20, 1, 4), (BIG, 0, 0, 0x20, 1, 0), (1 << 20, 1 << 20, 0, 0x20, 1, 0), (16, 0, 4, 0x20, 1, 0)):
        if d.cuArray3DCreate_v2(c.byref(made), c.byref(Array3D(w, h, depth, kind, channels, flags))) == 0:
            d.cuArray3DGetDescriptor_v2(c.byref(back), made)
            d.note((back.w, back.h, back.d, back.kind, back.channels, back.flags))
            d.cuArrayGetDescriptor_v2(c.byref(flat), made)
            d.cuArrayDestroy(made)
    for w, h, kind, channels in ((16, 0, 0x20, 1), (16, 4, 8, 2), (0, 4, 8, 2), (16, 4, 8, 5), (16, 4, 7, 1)):
        if d.cuArrayCreate_v2(c.byref(made), c.byref(Array2D(w, h, kind, channels))) == 0:
            d.cuArrayGetDescriptor_v2(c.byref(flat), made)
            d.note((flat.w, flat.h, flat.kind, flat.channels))


@case
def array_lines(d):
    d.context()
    one, other, a, host = d.array(64), d.array(64), d.memory(), c.create_string_buffer(bytes(range(256)), 256)
    for offset, size in ((0, 256), (128, 128), (0, 0), (128, 129), (256, 0), (0, BIG), (BIG, 4)):
        d.cuMemcpyHtoA_v2(one, Z(offset), host, Z(size))
        d.cuMemcpyAtoH_v2(host, one, Z(offset), Z(size))
        d.cuMemcpyHtoAAsync_v2(one, Z(offset), host, Z(size), None)
        d.cuMemcpyAtoHAsync_v2(host, one, Z(offset), Z(size), None)
        d.cuMemcpyAtoD_v2(a, one, Z(offset), Z(size))
        d.cuMemcpyDtoA_v2(one, Z(offset), a, Z(size))
        d.cuMemcpyAtoA_v2(other, Z(offset), one, Z(offset), Z(size))
    d.quiet("cuCtxSynchronize")
    d.cuMemcpyHtoA_v2(one, Z(0), None, Z(4))
    d.cuMemcpyAtoD_v2(U64(0), one, Z(0), Z(4))
    all_bytes = c.create_string_buffer(bytes(range(256)), 256)
    d.quiet("cuMemcpyHtoA_v2", one, Z(0), all_bytes, Z(256))
    d.quiet("cuMemcpyAtoA_v2", other, Z(0), one, Z(0), Z(256))
    back = c.create_string_buffer(256)
    d.cuMemcpyAtoH_v2(back, other, Z(0), Z(256))
    d.note(back.raw == bytes(range(256)))


@case
def array_boxes(d):
    d.context()
    one, host = d.array(16, 8), c.create_string_buffer(bytes(range(256)) * 2, 512)
    here = c.cast(host, P).value
    good = dict(st=HOST, sh=here, sp=64, dt=ARRAY, da=one.value, w=64, h=8)
    for change in ({}, {"h": 9}, {"w": 65}, {"dx": 4}, {"dy": 1}, {"da": None}, {"w": 62}, {"dx": 2, "w": 4}, {"dy": BIG}):
        copy2d(d, "cuMemcpy2D_v2", **{**good, **change})


@case
def mipmaps(d):
    d.context()
    made, level, back = P(), P(), Array3D()
    for width, height, levels in ((64, 64, 3), (64, 64, 0), (64, 64, 7), (64, 64, 99), (0, 0, 1), (64, 0, 2)):
        code = d.cuMipmappedArrayCreate(c.byref(made), c.byref(Array3D(width, height, 0, 0x20, 1, 0)), levels)
        if code == 0:
            for which in (0, 1, 50):
                if d.cuMipmappedArrayGetLevel(c.byref(level), made, which) == 0:
                    d.quiet("cuArray3DGetDescriptor_v2", c.byref(back), level)
                    d.note((back.w, back.h))
            d.cuMipmappedArrayDestroy(made)


@case
def modules(d):
    d.context()
    made, f, a, size, n = P(), P(), U64(), Z(), U()
    path = f"/tmp/call_codes_{os.getpid()}.ptx".encode()
    pathlib.Path(path.decode()).write_bytes(PTX)
    d.cuModuleLoad(c.byref(made), path)
    os.unlink(path)
    d.cuModuleLoad(c.byref(made), b"/nobody/is/here.ptx")
    d.cuModuleLoad(c.byref(made), b"/tmp")
    d.cuModuleLoadData(c.byref(P()), b"nonsense")
    d.cuModuleLoadData(c.byref(P()), b"")
    d.cuModuleGetFunction(c.byref(f), made, b"add")
    d.cuModuleGetFunction(c.byref(f), made, b"nobody")
    d.cuModuleGetFunction(c.byref(f), made, b"")
    d.cuModuleGetGlobal_v2(c.byref(a), c.byref(size), made, b"counter")
    d.note(size.value)
    d.cuModuleGetGlobal_v2(None, c.byref(size), made, b"weights")
    d.note(size.value)
    d.cuModuleGetGlobal_v2(c.byref(a), c.byref(size), made, b"nobody")
    d.cuModuleGetGlobal_v2(c.byref(a), c.byref(size), made, b"add")
    d.cuModuleGetFunctionCount(c.byref(n), made)
    d.note(n.value)
    d.cuModuleGetLoadingMode(c.byref(I()))
    d.cuModuleGetTexRef(c.byref(f), made, b"tex")
    d.cuModuleGetTexRef(c.byref(f), made, b"nobody")
    d.cuModuleGetSurfRef(c.byref(f), made, b"nobody")
    d.cuModuleGetSurfRef(c.byref(f), made, b"surf")
    d.cuSurfRefSetArray(f, d.array(16, 8, flags=2), 0)
    d.cuModuleLoadFatBinary(c.byref(P()), PTX)
    d.cuModuleLoadFatBinary(c.byref(P()), b"nonsense")
    d.cuModuleUnload(made)


@case
def names_of_others(d):
    """Names of nothing, and of something else than is asked for."""
    d.context()
    module, library, got, a, size = d.module(), d.library_of(), P(), U64(), Z()
    for name in (b"", b"add", b"counter", b"nobody"):
        d.cuModuleGetFunction(c.byref(got), module, name)
        d.cuModuleGetGlobal_v2(c.byref(a), c.byref(size), module, name)
        d.cuModuleGetTexRef(c.byref(got), module, name)
        d.cuModuleGetSurfRef(c.byref(got), module, name)
        d.cuLibraryGetKernel(c.byref(got), library, name)
        d.cuLibraryGetGlobal(c.byref(a), c.byref(size), library, name)
        d.cuLibraryGetManaged(c.byref(a), c.byref(size), library, name)
        d.cuLibraryGetUnifiedFunction(c.byref(got), library, name)
    d.cuModuleEnumerateFunctions((P * 8)(), 0, module)
    d.cuModuleEnumerateFunctions((P * 8)(), 2, module)


@case
def functions(d):
    d.context()
    f, n, text, a, size = d.function(), I(), c.c_char_p(), Z(), Z()
    d.cuFuncGetName(c.byref(text), f)
    d.note(text.value)
    d.cuFuncIsLoaded(c.byref(n), f)
    d.cuFuncLoad(f)
    d.cuFuncIsLoaded(c.byref(n), f)
    d.note(n.value)
    for config in (0, 3, 9):
        d.cuFuncSetCacheConfig(f, config)
    for config in (0, 2, 9):
        d.cuFuncSetSharedMemConfig(f, config)
    for index in (0, 1, 2):
        d.cuFuncGetParamInfo(f, Z(index), c.byref(a), c.byref(size))
        d.note((a.value, size.value))
    d.cuFuncGetParamInfo(f, Z(0), c.byref(a), None)
    for attribute, value in ((8, 4096), (8, -1), (8, 1 << 30), (9, 50), (9, 101), (9, -2), (0, 5), (99, 1)):
        d.cuFuncSetAttribute(f, attribute, value)
    for attribute in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 99, -1):
        d.cuFuncGetAttribute(c.byref(n), attribute, f)


@case
def occupancy(d):
    d.context()
    f, n, m, size = d.function(), I(), I(), Z()
    for threads, shared in ((128, 0), (0, 0), (-1, 0), (1024, 0), (1025, 0), (128, BIG), (128, 1 << 20)):
        d.cuOccupancyMaxActiveBlocksPerMultiprocessor(c.byref(n), f, threads, Z(shared))
        d.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(c.byref(n), f, threads, Z(shared), 0)
    d.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(c.byref(n), f, 128, Z(0), 77)
    for limit in (0, 128, -1):
        d.cuOccupancyMaxPotentialBlockSize(c.byref(n), c.byref(m), f, None, Z(0), limit)
        d.cuOccupancyMaxPotentialBlockSizeWithFlags(c.byref(n), c.byref(m), f, None, Z(0), limit, 0)
    for blocks, threads in ((1, 128), (0, 128), (1, 0), (-1, 128), (10000, 32), (1, 99999)):
        d.cuOccupancyAvailableDynamicSMemPerBlock(c.byref(size), f, blocks, threads)


@case
def occupancy_of_much(d):
    """More blocks than an SM holds at once, or blocks with more threads together."""
    d.context()
    f, size = d.function(), Z()
    for blocks, threads in ((1, 1024), (1, 1025), (2, 1024), (3, 1024), (32, 1024), (16, 32), (32, 32), (33, 32), (64, 32)):
        d.cuOccupancyAvailableDynamicSMemPerBlock(c.byref(size), f, blocks, threads)


@case
def libraries(d):
    d.context()
    made, k, n, a, size, text = d.library_of(), P(), U(), U64(), Z(), c.c_char_p()
    d.cuLibraryGetKernelCount(c.byref(n), made)
    d.note(n.value)
    d.cuLibraryEnumerateKernels((P * 8)(), 8, made)
    d.cuLibraryEnumerateKernels((P * 8)(), 0, made)
    d.cuLibraryGetKernel(c.byref(k), made, b"nobody")
    d.cuLibraryGetKernel(c.byref(k), made, b"add")
    d.cuLibraryGetGlobal(c.byref(a), c.byref(size), made, b"counter")
    d.note(size.value)
    d.cuLibraryGetGlobal(c.byref(a), c.byref(size), made, b"nobody")
    d.cuLibraryGetManaged(c.byref(a), c.byref(size), made, b"counter")
    d.cuLibraryGetUnifiedFunction(c.byref(P()), made, b"add")
    d.cuLibraryGetModule(c.byref(P()), made)
    d.cuLibraryLoadFromFile(c.byref(P()), b"/nobody/is/here", None, None, 0, None, None, 0)
    d.cuLibraryUnload(made)


@case
def kernels(d):
    d.context()
    made, k, f, n, text, a, size = d.library_of(), P(), P(), I(), c.c_char_p(), Z(), Z()
    d.quiet("cuLibraryGetKernel", c.byref(k), made, b"add")
    d.cuKernelGetFunction(c.byref(f), k)
    d.cuKernelGetLibrary(c.byref(f), k)
    d.note(f.value == made.value)
    d.cuKernelGetName(c.byref(text), k)
    d.note(text.value)
    for index in (0, 1, 2):
        d.cuKernelGetParamInfo(k, Z(index), c.byref(a), c.byref(size))
        d.note((a.value, size.value))
    d.cuKernelGetAttribute(c.byref(n), 0, k, 0)
    d.cuKernelGetAttribute(c.byref(n), 0, k, 9)
    d.cuKernelGetAttribute(c.byref(n), 99, k, 0)
    d.cuKernelSetAttribute(8, 1024, k, 0)
    d.cuKernelSetAttribute(8, 1024, k, 9)
    d.cuKernelSetAttribute(99, 1024, k, 0)
    d.cuKernelSetCacheConfig(k, 1, 0)
    d.cuKernelSetCacheConfig(k, 1, 9)
    d.cuKernelSetCacheConfig(k, 99, 0)


@case
def linking(d):
    d.context()
    made, out, size = P(), P(), Z()
    d.cuLinkCreate_v2(0, None, None, c.byref(made))
    d.cuLinkAddFile_v2(made, 1, b"/nobody/is/here.ptx", 0, None, None)
    d.cuLinkAddData_v2(made, 1, PTX, Z(len(PTX)), b"a", 0, None, None)
    d.cuLinkComplete(made, c.byref(out), c.byref(size))
    d.cuLinkDestroy(made)


@case
def launches(d):
    d.context()
    f, a = d.function(b"nothing"), d.memory()
    for grid, block, shared in (((1, 1, 1), (1, 1, 1), 0), ((0, 1, 1), (1, 1, 1), 0), ((1, 1, 1), (0, 1, 1), 0),
                                ((1, 1, 1), (1024, 1, 1), 0), ((1, 1, 1), (1025, 1, 1), 0), ((1, 1, 1), (1, 1, 65), 0),
                                ((1, 65536, 1), (1, 1, 1), 0), ((1, 1, 1), (1, 1, 1), 49152), ((1, 1, 1), (1, 1, 1), 49153),
                                ((1, 1, 1), (1, 1, 1), 1 << 30), ((1, 1, 1), (33, 32, 1), 0)):
        d.launch(f, grid, block, shared)
    g = d.function()
    d.launch(g)
    arguments = (P * 2)(c.cast(c.pointer(a), P), c.cast(c.pointer(U(1)), P))
    d.launch(g, arguments=arguments)
    d.launch(g, arguments=arguments, extra=(P * 1)(0))
    d.cuCtxSynchronize()
    d.cuLaunchHostFunc(None, None, None)


@case
def launch_extras(d):
    """Parameters in one buffer, in place of the pointers or beside them."""
    d.context()
    g, a = d.function(), d.memory()
    buffer, size = c.create_string_buffer(a.value.to_bytes(8, "little") + bytes(8), 16), Z(12)
    arguments = (P * 2)(c.cast(c.pointer(a), P), c.cast(c.pointer(U(1)), P))
    whole = (P * 5)(1, c.cast(buffer, P), 2, c.cast(c.pointer(size), P), 0)
    d.launch(g, extra=whole)
    d.launch(g, extra=(P * 1)(0))
    d.launch(g, arguments=arguments, extra=whole)
    d.launch(g, extra=(P * 3)(7, c.cast(buffer, P), 0))
    d.cuCtxSynchronize()
    d.launch(g, extra=(P * 3)(1, c.cast(buffer, P), 0))


@case
def faults_stay(d):
    context = d.context()
    f, ok, a = d.function(b"bad"), d.function(b"nothing"), d.memory()
    d.launch(f)
    d.cuCtxSynchronize()
    d.launch(ok)
    d.cuMemFree_v2(a)
    d.cuMemAlloc_v2(c.byref(a), Z(16))
    d.cuStreamQuery(None)
    d.cuCtxSynchronize()
    d.cuCtxDestroy_v2(context)


@case
def streams(d):
    context = d.context()
    s, other, n, ident, got = P(), d.stream(), I(), c.c_ulonglong(), P()
    for flags in (0, 1, 2, 0xff):
        d.cuStreamCreate(c.byref(s), flags)
    d.cuStreamCreateWithPriority(c.byref(s), 0, -99)
    d.cuStreamGetPriority(s, c.byref(n))
    d.note(n.value)
    d.cuStreamGetId(s, c.byref(ident))
    d.cuStreamGetId(None, c.byref(ident))
    d.cuStreamGetCtx(s, c.byref(got))
    d.note(got.value == context.value)
    d.cuStreamGetCtx_v2(s, c.byref(got), c.byref(P()))
    d.cuStreamGetDevice(s, c.byref(n))
    d.note(n.value)
    d.cuStreamGetFlags(s, c.byref(U()))
    d.cuStreamWaitEvent(s, d.event(), 0)
    d.cuStreamWaitEvent(s, d.event(), 99)
    d.cuStreamDestroy_v2(s)


@case
def stream_captures(d):
    d.context()
    s, n = d.stream(), I()
    d.cuStreamIsCapturing(s, c.byref(n))
    d.note(n.value)
    for mode in (0, 1, 2, 9):
        n = I(mode)
        d.cuThreadExchangeStreamCaptureMode(c.byref(n))
    d.cuStreamGetCaptureInfo_v2(s, c.byref(n), None, None, None, None)
    d.cuStreamGetCaptureInfo_v3(s, c.byref(n), None, None, None, None, None)


@case
def stream_attributes(d):
    d.context()
    s, other, value = d.stream(), d.stream(), c.create_string_buffer(64)
    d.cuStreamCopyAttributes(s, other)
    for which in (1, 3, 99):
        d.cuStreamGetAttribute(s, which, value)
        d.cuStreamSetAttribute(s, which, value)


@case
def stream_attributes_of_nothing(d):
    d.context()
    s = d.stream()
    for which in (99, 3, 1):
        d.cuStreamGetAttribute(s, which, None)
        d.cuStreamSetAttribute(s, which, None)


@case
def stream_values(d):
    d.context()
    a, back = d.memory(), U()
    for tail, word in (("32_v2", U), ("64_v2", U64)):
        getattr(d, f"cuStreamWriteValue{tail}")(None, a, word(5), 0)
        getattr(d, f"cuStreamWaitValue{tail}")(None, a, word(5), 0)
        getattr(d, f"cuStreamWaitValue{tail}")(None, a, word(5), 1)
        getattr(d, f"cuStreamWriteValue{tail}")(None, U64(a.value + 1), word(5), 0)
        getattr(d, f"cuStreamWriteValue{tail}")(None, U64(0), word(5), 0)
    d.cuMemcpyDtoH_v2(c.byref(back), a, Z(4))
    d.note(back.value)


@case
def events(d):
    d.context()
    e, plain, ms = P(), d.event(), c.c_float()
    for flags in (0, 1, 2, 3, 4, 8, 0xff):
        d.cuEventCreate(c.byref(e), flags)
    untimed = P()
    d.quiet("cuEventCreate", c.byref(untimed), 2)
    d.cuEventQuery(plain)
    d.cuEventSynchronize(plain)
    d.cuEventElapsedTime_v2(c.byref(ms), plain, plain)
    d.cuEventElapsedTime(c.byref(ms), plain, plain)
    d.cuEventRecord(plain, None)
    d.cuEventRecord(untimed, None)
    d.cuEventSynchronize(plain)
    d.cuEventElapsedTime_v2(c.byref(ms), plain, plain)
    d.cuEventElapsedTime_v2(c.byref(ms), plain, untimed)
    d.cuEventRecordWithFlags(plain, None, 0)
    d.cuEventRecordWithFlags(plain, None, 99)
    d.cuEventDestroy_v2(plain)


class PoolProps(c.Structure):
    _fields_ = [("kind", I), ("handles", I), ("where", I), ("id", I), ("security", P), ("most", Z), ("usage", c.c_ushort),
                ("rest", c.c_ubyte * 54)]


class Access(c.Structure):
    _fields_ = [("where", I), ("id", I), ("flags", I)]


@case
def pools(d):
    d.context()
    made, other, value, n = P(), P(), U64(), I()
    good = PoolProps(kind=1, where=1)
    d.cuMemPoolCreate(c.byref(made), c.byref(good))
    for wrong in (PoolProps(kind=0, where=1), PoolProps(kind=1, where=1, id=9), PoolProps(kind=1, where=77)):
        d.cuMemPoolCreate(c.byref(other), c.byref(wrong))
    for which in range(0, 10):
        d.cuMemPoolGetAttribute(made, which, c.byref(value))
    value = U64(1 << 20)
    d.cuMemPoolSetAttribute(made, 4, c.byref(value))
    value = U64(0)
    d.cuMemPoolGetAttribute(made, 4, c.byref(value))
    d.note(value.value)
    n = I(0)
    d.cuMemPoolSetAttribute(made, 1, c.byref(n))
    n = I(7)
    d.cuMemPoolGetAttribute(made, 1, c.byref(n))
    d.note(n.value)
    for which, start in ((5, 0), (6, 0), (6, 5), (7, 0), (8, 0), (99, 0)):
        value = U64(start)
        d.cuMemPoolSetAttribute(made, which, c.byref(value))
    d.cuMemPoolGetAccess(c.byref(n), made, c.byref((I * 2)(1, 0)))
    d.note(n.value)
    d.cuMemPoolGetAccess(c.byref(n), made, c.byref((I * 2)(1, 9)))
    d.cuMemPoolSetAccess(made, c.byref(Access(1, 0, 3)), Z(1))
    d.cuMemPoolSetAccess(made, c.byref(Access(1, 9, 3)), Z(1))
    d.cuMemPoolSetAccess(made, None, Z(1))
    d.cuMemPoolTrimTo(made, Z(0))
    d.cuDeviceSetMemPool(0, made)
    d.cuDeviceGetMemPool(c.byref(other), 0)
    d.note(other.value == made.value)
    d.cuDeviceSetMemPool(9, made)
    d.cuMemPoolDestroy(made)
    d.cuDeviceGetMemPool(c.byref(other), 0)
    d.cuDeviceGetDefaultMemPool(c.byref(made), 0)
    d.note(other.value == made.value)
    d.cuMemPoolDestroy(made)


@case
def pool_sums(d):
    d.context()
    made, value, a, b = P(), U64(), U64(), U64()
    d.quiet("cuMemPoolCreate", c.byref(made), c.byref(PoolProps(kind=1, where=1)))
    d.cuMemAllocFromPoolAsync(c.byref(a), Z(1 << 20), made, None)
    d.cuMemAllocFromPoolAsync(c.byref(b), Z(0), made, None)
    d.cuMemAllocFromPoolAsync(c.byref(b), Z(BIG), made, None)
    d.cuMemPoolGetAttribute(made, 7, c.byref(value))
    d.note(value.value)
    d.cuMemFreeAsync(a, None)
    d.quiet("cuCtxSynchronize")
    d.cuMemPoolGetAttribute(made, 7, c.byref(value))
    d.note(value.value)
    d.cuMemPoolGetAttribute(made, 8, c.byref(value))
    d.note(value.value)


class AllocationProps(c.Structure):
    _fields_ = [("kind", I), ("handles", I), ("where", I), ("id", I), ("security", P), ("compression", c.c_ubyte),
                ("rdma", c.c_ubyte), ("usage", c.c_ushort), ("rest", c.c_ubyte * 4)]


PAGE, DEVICE_MEMORY = 2 << 20, AllocationProps(kind=1, where=1)


def reserved(d, size):
    made = U64()
    d.quiet("cuMemAddressReserve", c.byref(made), Z(size), Z(0), U64(0), U64(0))
    return made.value


def physical(d, size=PAGE):
    made = U64()
    d.quiet("cuMemCreate", c.byref(made), Z(size), c.byref(DEVICE_MEMORY), U64(0))
    return made


def allow(d, address, size, flags=3):
    return d.cuMemSetAccess(U64(address), Z(size), c.byref(Access(1, 0, flags)), Z(1))


@case
def mapped_granularity(d):
    d.init()
    size = Z()
    for prop in (DEVICE_MEMORY, AllocationProps(kind=0, where=1), AllocationProps(kind=1, where=1, id=9),
                 AllocationProps(kind=1, where=0), AllocationProps(kind=1, where=77)):
        for option in (0, 1, 2):
            size.value = 0
            d.cuMemGetAllocationGranularity(c.byref(size), c.byref(prop), option)
            d.note(size.value)
    d.cuMemGetAllocationGranularity(None, c.byref(DEVICE_MEMORY), 0)
    d.cuMemGetAllocationGranularity(c.byref(size), None, 0)


@case
def mapped_reservations(d):
    d.init()
    a, b = U64(), U64()
    for size in (0, 1, 4096, 65536, PAGE, 3 * PAGE, PAGE + 4096, BIG):
        d.cuMemAddressReserve(c.byref(a), Z(size), Z(0), U64(0), U64(0))
        d.note(a.value % PAGE)
    for alignment in (1, 3, 4096, PAGE, PAGE + 1, 1 << 30):
        d.cuMemAddressReserve(c.byref(a), Z(PAGE), Z(alignment), U64(0), U64(0))
        d.note(a.value % max(alignment, PAGE) if alignment % 2 == 0 else -1)
    d.cuMemAddressReserve(c.byref(a), Z(PAGE), Z(0), U64(12345), U64(0))
    d.cuMemAddressReserve(c.byref(a), Z(PAGE), Z(0), U64(0), U64(1))
    d.cuMemAddressReserve(None, Z(PAGE), Z(0), U64(0), U64(0))
    at = reserved(d, 4 * PAGE)
    for address, size in ((at, PAGE), (at + PAGE, 3 * PAGE), (at + PAGE, 4 * PAGE), (at, 5 * PAGE), (0, PAGE), (at, 0),
                          (at, 4 * PAGE), (at, 4 * PAGE)):
        d.cuMemAddressFree(U64(address), Z(size))


@case
def mapped_handles(d):
    d.init()
    made, got = U64(), AllocationProps()
    for size in (0, 1, 4096, PAGE, PAGE + 1, BIG):
        d.cuMemCreate(c.byref(made), Z(size), c.byref(DEVICE_MEMORY), U64(0))
    for prop in (AllocationProps(kind=0, where=1), AllocationProps(kind=2, where=1), AllocationProps(kind=1, where=0),
                 AllocationProps(kind=1, where=77), AllocationProps(kind=1, where=1, id=9),
                 AllocationProps(kind=1, where=1, id=-1), AllocationProps(kind=1, where=1, compression=1),
                 AllocationProps(kind=1, where=1, compression=9), AllocationProps(kind=1, where=1, usage=8)):
        d.cuMemCreate(c.byref(made), Z(PAGE), c.byref(prop), U64(0))
    d.cuMemCreate(c.byref(made), Z(PAGE), c.byref(DEVICE_MEMORY), U64(1))
    d.cuMemCreate(c.byref(made), Z(PAGE), None, U64(0))
    d.cuMemCreate(None, Z(PAGE), c.byref(DEVICE_MEMORY), U64(0))
    made = physical(d)
    d.cuMemGetAllocationPropertiesFromHandle(c.byref(got), made)
    for value in (got.kind, got.handles, got.where, got.id, got.compression, got.rdma, got.usage):
        d.note(value)
    d.cuMemGetAllocationPropertiesFromHandle(None, made)
    d.cuMemRelease(made)
    d.cuMemRelease(U64(0))


@case
def mapped_places(d):
    d.context()
    at, handle, big = reserved(d, 8 * PAGE), physical(d), physical(d, 2 * PAGE)
    for address, size, offset, which, flags in (
            (at, PAGE, 0, handle, 1), (at, 0, 0, handle, 0), (at, 2 * PAGE, 0, handle, 0), (at, PAGE, PAGE, handle, 0),
            (at + 4096, PAGE, 0, handle, 0), (at, 4096, 0, handle, 0), (at - PAGE, PAGE, 0, handle, 0), (0, PAGE, 0, handle, 0),
            (at + 7 * PAGE, 2 * PAGE, 0, big, 0), (at, PAGE, 0, U64(0), 0), (at, PAGE, 0, handle, 0), (at, PAGE, 0, handle, 0),
            (at + PAGE, PAGE, 0, handle, 0), (at + 2 * PAGE, PAGE, 0, big, 0), (at + 3 * PAGE, PAGE, PAGE, big, 0),
            (at + 4 * PAGE, 2 * PAGE, 0, big, 0)):
        d.cuMemMap(U64(address), Z(size), Z(offset), which, U64(flags))
    d.cuMemAddressFree(U64(at), Z(8 * PAGE))
    for address, size in ((at + 4 * PAGE, PAGE), (at + 5 * PAGE, PAGE), (at + 6 * PAGE, PAGE), (at, 0), (0, PAGE),
                          (at + 4 * PAGE, 3 * PAGE), (at + 4 * PAGE, 2 * PAGE), (at + 4 * PAGE, 2 * PAGE), (at, 2 * PAGE)):
        d.cuMemUnmap(U64(address), Z(size))
    d.cuMemRelease(handle)
    d.cuMemRelease(big)
    d.cuMemAddressFree(U64(at), Z(8 * PAGE))


@case
def mapped_access(d):
    d.context()
    at, handle, big, flags = reserved(d, 8 * PAGE), physical(d), physical(d, 2 * PAGE), U64(77)
    allow(d, at, PAGE)
    d.quiet("cuMemMap", U64(at), Z(PAGE), Z(0), handle, U64(0))
    d.quiet("cuMemMap", U64(at + PAGE), Z(2 * PAGE), Z(0), big, U64(0))
    words = (U * 4)(1, 2, 3, 4)
    here = (I * 2)(1, 0)
    d.cuMemGetAccess(c.byref(flags), here, U64(at))
    d.note(flags.value)
    d.cuMemcpyHtoD_v2(U64(at), words, Z(16))
    d.cuMemsetD8_v2(U64(at), 5, Z(16))
    allow(d, at, PAGE, 2)
    allow(d, at, PAGE, 7)
    allow(d, at, 0)
    allow(d, at, 4096)
    allow(d, at + PAGE, PAGE)
    allow(d, at, 4 * PAGE)
    d.cuMemSetAccess(U64(at), Z(PAGE), None, Z(1))
    d.cuMemSetAccess(U64(at), Z(PAGE), c.byref(Access(1, 0, 3)), Z(0))
    d.cuMemSetAccess(U64(at), Z(PAGE), c.byref(Access(1, 9, 3)), Z(1))
    d.cuMemSetAccess(U64(at), Z(PAGE), c.byref(Access(77, 0, 3)), Z(1))
    allow(d, at, 3 * PAGE)
    for address in (at, at + 3 * PAGE - 1, at + 3 * PAGE, 0):
        flags.value = 77
        d.cuMemGetAccess(c.byref(flags), here, U64(address))
        d.note(flags.value)
    d.cuMemGetAccess(None, here, U64(at))
    d.cuMemGetAccess(c.byref(flags), None, U64(at))
    d.cuMemGetAccess(c.byref(flags), (I * 2)(1, 9), U64(at))
    # Across the border of the two.
    d.cuMemcpyHtoD_v2(U64(at + PAGE - 8), words, Z(16))
    back = (U * 4)()
    d.cuMemcpyDtoH_v2(back, U64(at + PAGE - 8), Z(16))
    d.note(list(back))
    d.cuMemcpyDtoH_v2(back, U64(at + 3 * PAGE - 8), Z(16))
    d.cuMemFree_v2(U64(at))
    base, size = U64(), Z()
    for address in (at, at + PAGE, at + 2 * PAGE):
        d.cuMemGetAddressRange_v2(c.byref(base), c.byref(size), U64(address))
        d.note(((base.value - at) // PAGE, size.value // PAGE))
    for which in (1, 2, 3, 4, 7, 8, 9):
        buffer = c.create_string_buffer(8)
        d.cuPointerGetAttribute(buffer, which, U64(at))
        if which not in (3, 7):
            d.note(int.from_bytes(buffer.raw, "little"))
    handles = U64()
    d.cuMemRetainAllocationHandle(c.byref(handles), P(at))
    d.note(handles.value == handle.value)
    d.cuMemRetainAllocationHandle(c.byref(handles), P(at + 3 * PAGE))
    d.cuMemRetainAllocationHandle(None, P(at))
    allow(d, at, PAGE, 1)
    d.cuMemcpyDtoH_v2(back, U64(at), Z(16))
    d.cuMemUnmap(U64(at), Z(3 * PAGE))
    d.cuMemcpyDtoH_v2(back, U64(at), Z(16))


@case
def mapped_twice(d):
    d.context()
    at, handle, words = reserved(d, 4 * PAGE), physical(d), (U * 4)(1, 2, 3, 4)
    for place in (at, at + 2 * PAGE):
        d.cuMemMap(U64(place), Z(PAGE), Z(0), handle, U64(0))
        allow(d, place, PAGE)
    d.cuMemcpyHtoD_v2(U64(at), words, Z(16))
    d.cuCtxSynchronize()
    back = (U * 4)()
    d.cuMemcpyDtoH_v2(back, U64(at + 2 * PAGE), Z(16))
    d.note(list(back))
    # A mapping stays when its handle is released, and its contents stay when it is mapped again.
    d.cuMemUnmap(U64(at), Z(PAGE))
    d.cuMemMap(U64(at + PAGE), Z(PAGE), Z(0), handle, U64(0))
    allow(d, at + PAGE, PAGE)
    d.cuMemRelease(handle)
    d.cuMemcpyDtoH_v2(back, U64(at + PAGE), Z(16))
    d.note(list(back))
    f = d.function()
    address = U64(at + PAGE)
    n = U(1)
    d.launch(f, arguments=(P * 2)(c.cast(c.byref(address), P), c.cast(c.byref(n), P)))
    d.cuCtxSynchronize()
    d.cuMemcpyDtoH_v2(back, U64(at + 2 * PAGE), Z(4))
    d.note(back[0])
    d.cuMemUnmap(U64(at + PAGE), Z(PAGE))
    d.launch(f, arguments=(P * 2)(c.cast(c.byref(address), P), c.cast(c.byref(n), P)))
    d.cuCtxSynchronize()


@case
def mapped_without_access(d):
    d.context()
    at, handle, n = reserved(d, PAGE), physical(d), U(1)
    d.cuMemMap(U64(at), Z(PAGE), Z(0), handle, U64(0))
    f, address = d.function(), U64(at)
    d.launch(f, arguments=(P * 2)(c.cast(c.byref(address), P), c.cast(c.byref(n), P)))
    d.cuCtxSynchronize()


@case
def mapped_to_be_read(d):
    d.context()
    at, handle, n = reserved(d, PAGE), physical(d), U(1)
    d.cuMemMap(U64(at), Z(PAGE), Z(0), handle, U64(0))
    allow(d, at, PAGE, 1)
    d.cuMemsetD8_v2(U64(at), 5, Z(16))
    f, address = d.function(), U64(at)
    d.launch(f, arguments=(P * 2)(c.cast(c.byref(address), P), c.cast(c.byref(n), P)))
    d.cuCtxSynchronize()


@case
def pointers(d):
    d.context()
    a, p, n, value = d.memory(), P(), I(), U64()
    d.quiet("cuMemHostAlloc", c.byref(p), Z(64), 0)
    for which in (1, 2, 3, 4, 7, 8, 9, 99, 0):
        buffer = c.create_string_buffer(64)
        d.cuPointerGetAttribute(buffer, which, a)
        d.cuPointerGetAttribute(buffer, which, U64(p.value))
        d.cuPointerGetAttribute(buffer, which, U64(4096))
    places = (P * 2)(c.cast(c.pointer(n), P), c.cast(c.pointer(value), P))
    d.cuPointerGetAttributes(2, (I * 2)(2, 3), places, a)
    d.note((n.value, value.value == a.value))
    d.cuPointerGetAttributes(2, (I * 2)(2, 3), places, U64(4096))
    d.note((n.value, value.value))
    d.cuPointerGetAttributes(0, (I * 2)(2, 3), places, a)
    d.cuPointerGetAttributes(1, (I * 2)(99, 3), places, a)
    n = I(1)
    d.cuPointerSetAttribute(c.byref(n), 6, a)
    d.cuPointerSetAttribute(c.byref(n), 6, U64(4096))
    d.cuPointerSetAttribute(c.byref(n), 2, a)


@case
def host_memory(d):
    d.context()
    p, flags, a = P(), U(), U64()
    d.quiet("cuMemHostAlloc", c.byref(p), Z(64), 2)
    d.cuMemHostGetFlags(c.byref(flags), p)
    d.note(flags.value)
    d.cuMemHostGetDevicePointer_v2(c.byref(a), p, 0)
    d.cuMemHostGetDevicePointer_v2(c.byref(a), p, 1)
    own = c.create_string_buffer(1 << 16)
    d.cuMemHostGetFlags(c.byref(flags), own)
    d.cuMemHostGetDevicePointer_v2(c.byref(a), own, 0)
    d.cuMemHostUnregister(own)
    d.cuMemHostRegister_v2(own, Z(0), 0)
    d.cuMemHostRegister_v2(own, Z(1 << 16), 0)
    d.cuMemHostRegister_v2(own, Z(1 << 16), 0)
    d.cuMemHostRegister_v2(own, Z(1 << 16), 0xff00)
    d.cuMemHostUnregister(own)
    d.cuMemFreeHost(p)


@case
def managed(d):
    d.context()
    a, plain, s = U64(), d.memory(), d.stream()
    d.quiet("cuMemAllocManaged", c.byref(a), Z(1 << 20), 1)
    for which in (1, 2, 3, 4, 5, 6, 99, 0):
        d.cuMemAdvise(a, Z(1 << 20), which, 0)
    d.cuMemAdvise(a, Z(0), 1, 0)
    d.cuMemAdvise(a, Z(1 << 21), 1, 0)
    d.cuMemAdvise(plain, Z(4096), 1, 0)
    d.cuMemAdvise(a, Z(4096), 3, 9)
    d.cuMemPrefetchAsync(a, Z(1 << 20), 0, None)
    d.cuMemPrefetchAsync(a, Z(0), 0, None)
    d.cuMemPrefetchAsync(a, Z(1 << 21), 0, None)
    d.cuMemPrefetchAsync(plain, Z(4096), 0, None)
    d.cuMemPrefetchAsync(a, Z(4096), 9, None)
    d.cuMemPrefetchAsync(a, Z(4096), -1, None)
    # CUmemLocation is passed by value, in one register: kind, and number of the device.
    for kind, number in ((1, 0), (1, 9), (2, 0), (0, 0)):
        d.cuMemAdvise_v2(a, Z(4096), 3, U64(kind | number << 32))
        d.cuMemPrefetchAsync_v2(a, Z(4096), U64(kind | number << 32), 0, None)
    d.cuStreamAttachMemAsync(s, a, Z(0), 4)
    d.cuStreamAttachMemAsync(s, a, Z(0), 1)
    d.cuStreamAttachMemAsync(s, a, Z(0), 77)
    d.cuStreamAttachMemAsync(s, plain, Z(0), 1)


class Resource(c.Structure):
    _fields_ = [("kind", I), ("pad", I), ("first", U64), ("format", I), ("channels", U), ("third", Z), ("fourth", Z),
                ("pitch", Z), ("rest", c.c_ubyte * 88), ("flags", U)]


class Texture(c.Structure):
    _fields_ = [("address", I * 3), ("filter", I), ("flags", U), ("rest", U * 32)]


@case
def texture_objects(d):
    d.context()
    made, a, one = c.c_ulonglong(), d.memory(), d.array(16, 8)
    back = c.create_string_buffer(512)
    for resource in (Resource(kind=0, first=one.value), Resource(kind=2, first=a.value, format=0x20, channels=1, third=256),
                     Resource(kind=0, first=0), Resource(kind=2, first=0, format=0x20, channels=1, third=256),
                     Resource(kind=2, first=a.value, format=0x20, channels=3, third=256),
                     Resource(kind=2, first=a.value, format=0x20, channels=1, third=0),
                     Resource(kind=77, first=one.value), Resource(kind=0, first=one.value, flags=1)):
        if d.cuTexObjectCreate(c.byref(made), c.byref(resource), c.byref(Texture()), None) == 0:
            d.cuTexObjectGetResourceDesc(back, made)
            d.cuTexObjectGetTextureDesc(back, made)
            d.cuTexObjectGetResourceViewDesc(back, made)
            d.cuTexObjectDestroy(made)
    d.cuTexObjectCreate(c.byref(made), c.byref(Resource(kind=0, first=one.value)), None, None)


@case
def surface_objects(d):
    d.context()
    made, a = c.c_ulonglong(), d.memory()
    plain, load_store = d.array(16, 8), d.array(16, 8, flags=2)
    for resource in (Resource(kind=0, first=load_store.value), Resource(kind=0, first=plain.value),
                     Resource(kind=2, first=a.value, format=0x20, channels=1, third=256), Resource(kind=0, first=0)):
        if d.cuSurfObjectCreate(c.byref(made), c.byref(resource)) == 0:
            d.cuSurfObjectGetResourceDesc(c.create_string_buffer(512), made)
            d.cuSurfObjectDestroy(made)


@case
def texture_references(d):
    d.context()
    made, n, flags, a, size, got = P(), I(), U(), d.memory(), Z(), P()
    d.cuTexRefCreate(c.byref(made))
    d.cuTexRefGetFlags(c.byref(flags), made)
    d.note(flags.value)
    d.cuTexRefSetFlags(made, 2)
    d.cuTexRefGetFlags(c.byref(flags), made)
    d.note(flags.value)
    d.cuTexRefSetFilterMode(made, 1)
    d.cuTexRefGetFilterMode(c.byref(n), made)
    d.note(n.value)
    d.cuTexRefSetAddressMode(made, 1, 1)
    d.cuTexRefGetAddressMode(c.byref(n), made, 1)
    d.note(n.value)
    d.cuTexRefSetAddressMode(made, 3, 1)
    d.cuTexRefGetAddressMode(c.byref(n), made, 3)
    d.cuTexRefSetFormat(made, 0x20, 1)
    d.cuTexRefSetFormat(made, 0x20, 3)
    d.cuTexRefSetFormat(made, 0x99, 1)
    d.cuTexRefGetAddress_v2(c.byref(U64()), made)
    d.cuTexRefGetArray(c.byref(got), made)
    d.cuTexRefSetAddress_v2(c.byref(size), made, a, Z(4096))
    got_address = U64()
    d.cuTexRefGetAddress_v2(c.byref(got_address), made)
    d.note(got_address.value == a.value)
    d.cuTexRefSetAddress2D_v3(made, c.byref(Array2D(16, 8, 0x20, 1)), a, Z(512))
    d.cuTexRefSetAddress2D_v3(made, c.byref(Array2D(16, 800, 0x20, 1)), a, Z(512))
    one = d.array(16, 8)
    d.cuTexRefSetArray(made, one, 1)
    d.cuTexRefGetArray(c.byref(got), made)
    d.note(got.value == one.value)
    d.cuTexRefDestroy(made)


@case
def names(d):
    text, found, how, version = c.c_char_p(), P(), I(), I()
    d.cuDriverGetVersion(c.byref(version))
    d.cuGetErrorName(700, c.byref(text))
    d.note(text.value)
    d.cuGetErrorName(98765, c.byref(text))
    d.note(text.value)
    d.cuGetErrorString(98765, c.byref(text))
    d.init()
    d.cuGetProcAddress_v2(b"cuMemAlloc", c.byref(found), 12000, U64(0), c.byref(how))
    d.note(how.value)
    d.cuGetProcAddress_v2(b"cuNobody", c.byref(found), 12000, U64(0), c.byref(how))
    d.note((found.value, how.value))
    d.cuGetProcAddress_v2(b"cuMemAllocAsync", c.byref(found), 8000, U64(0), c.byref(how))
    d.note((found.value, how.value))
    d.cuGetProcAddress_v2(b"cuMemAlloc", c.byref(found), 12000, U64(77), c.byref(how))
    d.cuGetExportTable(c.byref(found), bytes(16))
    d.note(found.value)
    d.cuGetProcAddress(b"cuMemAlloc", c.byref(found), 11030, U64(0))


@case
def names_without_status(d):
    d.init()
    found = P()
    for name, version in ((b"cuMemAlloc", 12000), (b"cuNobody", 12000), (b"cuMemAllocAsync", 8000)):
        d.cuGetProcAddress_v2(name, c.byref(found), version, U64(0), None)
        d.cuGetProcAddress(name, c.byref(found), version, U64(0))


@case
def profiler(d):
    d.context()
    d.cuProfilerStart()
    d.cuProfilerStop()


# Handles and settings that are good or bad by themselves, in a thread that has no context, or one with a fault.
def end_of_context(d, state):
    if state == "no_context":
        d.quiet("cuCtxPopCurrent_v2", c.byref(P()))
    if state == "fault":
        d.library.cuLaunchKernel(d.function(b"bad"), 1, 1, 1, 1, 1, 1, 0, None, None, None)
        d.library.cuCtxSynchronize()


def good_handles(d, state):
    context = d.context()
    stream, event, module, library, array = d.stream(), d.event(), d.module(), d.library_of(), d.array()
    function, kernel, texture, p, n, z, a = d.function(), P(), P(), P(), I(), Z(), d.memory()
    d.quiet("cuLibraryGetKernel", c.byref(kernel), library, b"add")
    d.quiet("cuTexRefCreate", c.byref(texture))
    d.quiet("cuEventRecord", event, stream)
    d.quiet("cuCtxSynchronize")
    end_of_context(d, state)
    d.cuEventQuery(event)
    d.cuEventSynchronize(event)
    d.cuEventElapsedTime(c.byref(c.c_float()), event, event)
    d.cuStreamQuery(stream)
    d.cuStreamGetFlags(stream, c.byref(U()))
    d.cuStreamGetId(stream, c.byref(U64()))
    d.cuFuncGetAttribute(c.byref(n), 0, function)
    d.cuFuncSetAttribute(function, 8, 1024)
    d.cuFuncSetCacheConfig(function, 1)
    d.cuFuncGetName(c.byref(c.c_char_p()), function)
    d.cuFuncIsLoaded(c.byref(n), function)
    d.cuFuncLoad(function)
    d.cuFuncGetModule(c.byref(p), function)
    d.cuModuleGetFunction(c.byref(p), module, b"add")
    d.cuModuleGetFunctionCount(c.byref(n), module)
    d.cuModuleGetGlobal_v2(c.byref(U64()), None, module, b"counter")
    d.cuLibraryGetModule(c.byref(p), library)
    d.cuLibraryGetGlobal(c.byref(U64()), c.byref(z), library, b"counter")
    d.cuLibraryGetKernelCount(c.byref(n), library)
    d.cuKernelGetFunction(c.byref(p), kernel)
    d.cuKernelGetAttribute(c.byref(n), 0, kernel, 0)
    d.cuKernelSetAttribute(8, 1024, kernel, 0)
    d.cuKernelGetName(c.byref(c.c_char_p()), kernel)
    d.cuKernelGetParamInfo(kernel, Z(0), c.byref(z), c.byref(z))
    d.cuArray3DGetDescriptor_v2(c.byref(Array3D()), array)
    d.cuTexRefSetFlags(texture, 2)
    d.cuTexRefGetFlags(c.byref(n), texture)
    d.cuPointerGetAttribute(c.byref(U64()), 2, a)
    d.cuMemGetAddressRange_v2(c.byref(U64()), c.byref(z), a)
    d.cuCtxGetId(None, c.byref(U64()))
    d.cuCtxGetId(context, c.byref(U64()))
    d.cuCtxGetApiVersion(context, c.byref(U()))
    d.cuCtxGetFlags(c.byref(U()))
    d.cuCtxGetDevice(c.byref(n))
    d.cuCtxSynchronize_v2(context)
    d.cuTexRefDestroy(texture)
    d.cuArrayDestroy(array)
    d.cuEventDestroy_v2(event)
    d.cuStreamDestroy_v2(stream)
    d.cuMemFree_v2(a)
    d.cuModuleUnload(module)
    d.cuLibraryUnload(library)
    d.cuCtxDestroy_v2(context)


def bad_settings(d, state):
    if state != "before":
        d.context()
        end_of_context(d, state)
    a, p = U64(), P()
    d.cuCtxSetCacheConfig(77)
    d.cuCtxSetSharedMemConfig(77)
    d.cuCtxSetFlags(0xffff)
    d.cuCtxSetLimit(99, Z(1))
    d.cuCtxAttach(c.byref(p), 1)
    d.cuStreamCreate(c.byref(p), 0xff)
    d.cuStreamWaitEvent(None, None, 99)
    d.cuEventCreate(c.byref(p), 0xff)
    d.cuEventRecordWithFlags(None, None, 99)
    d.cuMemAlloc_v2(c.byref(a), Z(0))
    d.cuMemAllocManaged(c.byref(a), Z(16), 77)
    d.cuMemHostAlloc(c.byref(p), Z(16), 0xff)
    d.cuModuleLoad(c.byref(p), b"/nobody/is/here.ptx")
    d.cuModuleLoadData(c.byref(p), b"nonsense")
    d.cuLibraryLoadData(c.byref(p), b"nonsense", None, None, 0, None, None, 0)
    d.cuLibraryLoadFromFile(c.byref(p), b"/nobody/is/here.ptx", None, None, 0, None, None, 0)


@case
def good_handles_without_context(d):
    good_handles(d, "no_context")


@case
def good_handles_behind_fault(d):
    good_handles(d, "fault")


@case
def bad_settings_before(d):
    bad_settings(d, "before")


@case
def bad_settings_without_context(d):
    bad_settings(d, "no_context")


@case
def bad_settings_behind_fault(d):
    bad_settings(d, "fault")


@case
def gone(d):
    """Each kind of handle behind its end."""
    context = d.context()
    stream, event, module, library, array, pool = d.stream(), d.event(), d.module(), d.library_of(), d.array(), P()
    function, kernel, text, made, n, link, tex = P(), P(), c.create_string_buffer(64), P(), I(), P(), c.c_ulonglong()
    d.quiet("cuModuleGetFunction", c.byref(function), module, b"nothing")
    d.quiet("cuLibraryGetKernel", c.byref(kernel), library, b"nothing")
    d.quiet("cuMemPoolCreate", c.byref(pool), c.byref(PoolProps(kind=1, where=1)))
    d.quiet("cuLinkCreate_v2", 0, None, None, c.byref(link))
    d.quiet("cuTexObjectCreate", c.byref(tex), c.byref(Resource(kind=0, first=array.value)), c.byref(Texture()), None)
    for end, handle in (("cuStreamDestroy_v2", stream), ("cuEventDestroy_v2", event), ("cuModuleUnload", module),
                        ("cuLibraryUnload", library), ("cuTexObjectDestroy", tex), ("cuArrayDestroy", array),
                        ("cuMemPoolDestroy", pool), ("cuLinkDestroy", link)):
        getattr(d, end)(handle)
        getattr(d, end)(handle)
    d.cuStreamSynchronize(stream)
    d.cuStreamGetId(stream, c.byref(c.c_ulonglong()))
    d.cuEventRecord(event, None)
    d.cuModuleGetFunction(c.byref(made), module, b"nothing")
    d.cuLibraryGetKernel(c.byref(made), library, b"nothing")
    d.cuKernelGetName(c.byref(c.c_char_p()), kernel)
    d.cuFuncGetAttribute(c.byref(n), 0, function)
    d.launch(function)
    d.launch(kernel)
    d.cuArray3DGetDescriptor_v2(c.byref(Array3D()), array)
    d.cuTexObjectGetTextureDesc(c.create_string_buffer(256), tex)
    d.cuMemPoolTrimTo(pool, Z(0))
    d.cuMemAllocFromPoolAsync(c.byref(U64()), Z(16), pool, None)
    d.cuLinkComplete(link, c.byref(made), c.byref(Z()))
    d.cuCtxDestroy_v2(context)
    d.cuCtxSynchronize_v2(context)
    d.cuCtxPushCurrent_v2(context)
    d.cuCtxGetApiVersion(context, c.byref(U()))
    d.cuCtxDestroy_v2(context)


@case
def two_contexts(d):
    """What belongs to one context, in another."""
    d.context()
    f, stream, event, a = d.function(b"nothing"), d.stream(), d.event(), d.memory()
    d.launch(f, stream=stream)
    d.context()
    d.launch(f)
    d.launch(d.function(b"nothing"), stream=stream)
    d.cuEventRecord(event, stream)
    d.cuEventRecord(event, d.stream())
    d.cuMemcpyHtoD_v2(a, bytes(16), Z(16))
    d.cuStreamSynchronize(stream)
    d.cuMemFree_v2(a)


@case
def threads(d):
    """Many threads on one context: nothing is lost, and all memory comes back."""
    context = d.context()
    f, before, after, total = d.function(b"nothing"), Z(), Z(), Z()
    d.quiet("cuMemGetInfo_v2", c.byref(before), c.byref(total))

    def work(_):
        wrong = d.library.cuCtxSetCurrent(context)
        for _ in range(50):
            a, p, stream, event = U64(), P(), P(), P()
            wrong += d.library.cuMemAlloc_v2(c.byref(a), Z(4096)) + d.library.cuMemAllocHost_v2(c.byref(p), Z(4096))
            wrong += d.library.cuStreamCreate(c.byref(stream), 0) + d.library.cuEventCreate(c.byref(event), 0)
            wrong += d.library.cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, stream, None, None)
            wrong += d.library.cuMemsetD8Async(a, 1, Z(4096), stream) + d.library.cuEventRecord(event, stream)
            wrong += d.library.cuMemcpyDtoHAsync_v2(p, a, Z(4096), stream) + d.library.cuStreamSynchronize(stream)
            wrong += (c.string_at(p, 4096) != b"\1" * 4096) + d.library.cuMemFree_v2(a) + d.library.cuMemFreeHost(p)
            wrong += d.library.cuStreamDestroy_v2(stream) + d.library.cuEventDestroy_v2(event)
        return wrong
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        d.note(sum(pool.map(work, range(16))))
    d.quiet("cuMemGetInfo_v2", c.byref(after), c.byref(total))
    d.note(after.value == before.value)


# Every function with nothing but zeros, in each state that a program can be in.
STATES = ("before", "no_context", "current", "destroyed", "fault")


def zeros(d, name, state):
    context = None
    if state != "before":
        d.init()
    if state in ("current", "destroyed", "fault"):
        context = d.context()
    if state == "destroyed":
        # By another thread, so that it stays on this one's stack.
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pool.submit(d.quiet, "cuCtxDestroy_v2", context).result()
    if state == "fault":
        f = d.function(b"bad")
        d.quiet("cuLaunchKernel", f, 1, 1, 1, 1, 1, 1, 0, None, None, None)
        d.library.cuCtxSynchronize()
    getattr(d, name)(*[U64(0)] * 12)


def calls():
    text = (pathlib.Path(__file__).resolve().parents[4] / "cuda/stand_in/driver/api.def").read_text(encoding="utf-8")
    return re.findall(r"^DRIVER_CALL\(\w+, \d+, (\w+)\)", text, re.M)


def run(path, label, limit_s=60):
    """In a process of its own: NVIDIA's driver does not survive all that is asked here."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(limit_s)
        # At once: what came before a crash is told, too.
        def tell(value):
            os.write(write, f"{value}".replace(" ", "").encode() + b" ")
        try:
            d = Driver(path, tell)
            name, _, state = label.partition("/")
            if state:
                zeros(d, name, state)
            else:
                CASES[name](d)
        except AttributeError:
            os.write(write, b"this library has no such function")
        except Exception as error:  # what a case needs does not work
            os.write(write, f"broken: {error}".encode())
        os._exit(0)
    os.close(write)
    said = b""
    with os.fdopen(read, "rb") as file:
        said = file.read()
    status = os.waitpid(child, 0)[1]
    crash = f" crash {os.waitstatus_to_exitcode(status)}" if status != 0 else ""
    return (said.decode().strip() + crash).strip()


def labels():
    return [*CASES, *(f"{name}/{state}" for name in calls() for state in STATES if name != "cuInit")]


def main():
    path, chosen = sys.argv[1], sys.argv[2:] or labels()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for label, said in zip(chosen, pool.map(lambda one: run(path, one), chosen)):
            print(f"{label}: {said}", flush=True)


if __name__ == "__main__":
    main()
