"""CuPy's texture objects: of RawKernels, and those that its own image functions make."""
import cupy as cp
import numpy as np
from cupy.cuda import runtime, texture
from cupyx.scipy import ndimage

from capture import capture

cp.cuda.set_allocator(None)
rng = np.random.default_rng(8)


def run(name, body, dtype="float32", rtol=0.0):
    with capture(name, dtype, rtol):
        body()
        runtime.deviceSynchronize()


def texture_of(data, channels=1, filter=runtime.cudaFilterModeLinear, read=runtime.cudaReadModeElementType, normalized=0):
    kind = runtime.cudaChannelFormatKindFloat if data.dtype.kind == "f" else runtime.cudaChannelFormatKindUnsigned
    bits = [8 * data.dtype.itemsize] * channels + [0] * (4 - channels)
    extent = list(data.shape[::-1])
    extent[0] //= channels
    array = texture.CUDAarray(texture.ChannelFormatDescriptor(*bits, kind), *extent)
    array.copy_from(data)
    modes = (runtime.cudaAddressModeClamp,) * data.ndim
    return texture.TextureObject(texture.ResourceDescriptor(runtime.cudaResourceTypeArray, array),
                                 texture.TextureDescriptor(modes, filter, read, normalizedCoords=normalized))


RAW = r"""
extern "C" __global__ void bicubic_like(cudaTextureObject_t picture, float* out, int width, int height, float scale) {
  int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = (x + .5f) * scale, v = (y + .5f) * scale, sum = 0;
  for (int k = 0; k < 4; ++k) sum += tex2D<float>(picture, u + (k & 1) * .4f - .2f, v + (k >> 1) * .4f - .2f);
  out[y * width + x] = sum * .25f;
}
extern "C" __global__ void slice_volume(cudaTextureObject_t volume, float* out, int width, int height, float z) {
  int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = tex3D<float>(volume, x * .31f, y * .27f, z + x * .01f);
}
"""
module = cp.RawModule(code=RAW)
picture = rng.uniform(-1, 1, (30, 40)).astype(np.float32)
volume = rng.uniform(-1, 1, (9, 12, 15)).astype(np.float32)
flat, solid = texture_of(picture), texture_of(volume)
run("cupy_texture_zoom", lambda: module.get_function("bicubic_like")(
    (4, 6), (16, 8), (flat, cp.zeros(57 * 43, cp.float32), np.int32(57), np.int32(43), np.float32(0.7))))
run("cupy_texture_slice", lambda: module.get_function("slice_volume")(
    (4, 6), (16, 8), (solid, cp.zeros(50 * 44, cp.float32), np.int32(50), np.int32(44), np.float32(3.3))))
turn = np.array([[0.8, -0.6, 9.0], [0.6, 0.8, -5.0], [0, 0, 1]], np.float32)
run("cupy_affine_texture", lambda: ndimage.affine_transform(cp.asarray(picture), cp.asarray(turn), mode="constant", order=1,
                                                            texture_memory=True))
