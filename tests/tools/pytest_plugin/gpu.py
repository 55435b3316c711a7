"""What the tests of pytest_plugin_test.py use of the driver, without a package: kernels in PTX, by the driver's API."""
import ctypes

HEAD = """.version 7.0
.target sm_50
.address_size 64
.visible .entry {name}(.param .u64 a)
{{
.reg .b64 %a; .reg .b32 %x;
ld.param.u64 %a, [a];
ld.global.u32 %x, [%a];
add.u32 %x, %x, 1;
st.global.u32 [%a], %x;
ret;
}}
"""


class Gpu:
    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        assert self.cuda.cuInit(0) == 0
        assert self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
        assert self.cuda.cuCtxSetCurrent(context) == 0
        self.kernels = {}
        self.array = self.allocate(4)
        assert self.cuda.cuMemsetD32_v2(self.array, 41, 1) == 0

    def allocate(self, size):
        address = ctypes.c_uint64()
        assert self.cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(size)) == 0
        return address

    def kernel(self, name):
        if name not in self.kernels:
            module, self.kernels[name] = ctypes.c_void_p(), ctypes.c_void_p()
            assert self.cuda.cuModuleLoadData(ctypes.byref(module), HEAD.format(name=name).encode()) == 0
            assert self.cuda.cuModuleGetFunction(ctypes.byref(self.kernels[name]), module, name.encode()) == 0
        return self.kernels[name]

    def launch(self, name="k", offset=0, array=None):
        """Counts a word up, and gives CUDA's code."""
        at = ctypes.c_uint64((array or self.array).value + offset)
        arguments = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(at), ctypes.c_void_p))
        code = self.cuda.cuLaunchKernel(self.kernel(name), 1, 1, 1, 1, 1, 1, 0, None, arguments, None)
        return code or self.cuda.cuCtxSynchronize()

    def word(self):
        value = ctypes.c_uint32()
        assert self.cuda.cuMemcpyDtoH_v2(ctypes.byref(value), self.array, ctypes.c_size_t(4)) == 0
        return value.value

    def device_name(self):
        name = ctypes.create_string_buffer(256)
        assert self.cuda.cuDeviceGetName(name, 256, 0) == 0
        return name.value.decode()
