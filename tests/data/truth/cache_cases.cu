// Access patterns that tell caches apart. Compiled to cache_cases.ptx by: nvcc -ptx -arch=compute_80
// cache_cases.cu
extern "C" __global__ void stream_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
extern "C" __global__ void strided_sum(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < 8; ++k) s += a[i * 8 + k];  // each sector is asked for again by the next loads
  if (i < n) c[i] = s;
}
// Every block walks over the same n floats `rounds` times.
extern "C" __global__ void reread(const float* a, const float* b, float* c, int n) {
  float s = 0;
  for (int r = 0; r < 4; ++r)
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
  c[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
extern "C" __global__ void blur3(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  float s = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) s += a[(y + dy) * n + x + dx];
  c[y * n + x] = s / 9;
}
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}
extern "C" __global__ void transpose(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  c[x * n + y] = a[y * n + x];
}
extern "C" __global__ void gather(const float* a, const float* b, float* c, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = i;
  float s = 0;
  for (int k = 0; k < 16; ++k) {
    h = h * 1664525u + 1013904223u;
    s += a[(h >> 8) % unsigned(n)];
  }
  c[i] = s;
}
extern "C" __global__ void store_then_load(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i];
  __syncthreads();
  float v = *(volatile float*)&c[blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  c[i] = v + c[i];
}
extern "C" __global__ void atomics(float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&a[i % n], 1.0f);
}
