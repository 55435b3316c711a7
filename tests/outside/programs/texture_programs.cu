// CUDA C++ with texture and surface objects: filtered pictures, volumes, layers, cubes, mipmaps, linear
// memory. Compiled by nvcc for compute_80.
#include <cuda_runtime.h>

// Turned by an angle, through texture coordinates from 0 to 1.
extern "C" __global__ void rotate_gray(cudaTextureObject_t picture, float* out, int width, int height,
                                       float theta) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
  float c = 1.f - theta * theta / 2, s = theta;
  out[y * width + x] = tex2D<float>(picture, u * c - v * s + 0.5f, v * c + u * s + 0.5f);
}

// The largest value along each ray through a volume.
extern "C" __global__ void volume_projection(cudaTextureObject_t volume, float* out, int width, int height,
                                             int steps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float most = -1e30f;
  for (int i = 0; i < steps; ++i) {
    float t = (i + .37f) / steps;
    most = fmaxf(most, tex3D<float>(volume, (x + .3f) / width + .1f * t, (y + .7f) / height - .2f * t, t));
  }
  out[y * width + x] = most;
}

extern "C" __global__ void blend_layers(cudaTextureObject_t stack, uchar4* out, int width, int height,
                                        int layers) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 sum = {};
  for (int layer = 0; layer < layers; ++layer) {
    float4 c = tex2DLayered<float4>(stack, x * .61f, y * .83f, layer);
    sum.x += c.x, sum.y += c.y, sum.z += c.z, sum.w += c.w;
  }
  float k = 255.f / layers;
  out[y * width + x] = make_uchar4(sum.x * k, sum.y * k, sum.z * k, sum.w * k);
}

extern "C" __global__ void environment(cudaTextureObject_t sky, const float3* normals, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = texCubemap<float4>(sky, normals[i].x, normals[i].y, normals[i].z);
}

// Farther away, coarser levels.
extern "C" __global__ void receding_floor(cudaTextureObject_t tiles, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float depth = 1.f + 6.f * y / height;
  out[y * width + x] =
      tex2DLod<float>(tiles, (x - width * .5f) / width * depth, depth * .5f, depth * .6f - .5f);
}

extern "C" __global__ void lookup_bytes(cudaTextureObject_t table, const int* at, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex1Dfetch<unsigned char>(table, at[i]) + 256 * tex1Dfetch<unsigned char>(table, at[i] + 1);
}

extern "C" __global__ void transfer_function(cudaTextureObject_t colors, const float* value, float4* out,
                                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1D<float4>(colors, value[i]);
}

extern "C" __global__ void mirror_surface(cudaSurfaceObject_t picture, cudaSurfaceObject_t mirrored,
                                          int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  uchar4 c = surf2Dread<uchar4>(picture, x * 4, y);
  surf2Dwrite(make_uchar4(c.z, c.y, c.x, c.w), mirrored, (width - 1 - x) * 4, y);
}

extern "C" __global__ void gather_edges(cudaTextureObject_t picture, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 four = tex2Dgather<float4>(picture, x + 1.f, y + 1.f, 0);
  out[y * width + x] = fabsf(four.x - four.z) + fabsf(four.y - four.w);
}

// A picture in pitched memory.
extern "C" __global__ void zoom_pitched(cudaTextureObject_t picture, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = tex2D<float>(picture, x * .37f + 2, y * .41f + 1);
}
