// Kernels whose resources need more than a plain one: bounds of launches, caps, spills, stacks, barriers,
// constants. registers.ptx is this, compiled by kernel_compiler; record_registers.py assembles it.

__constant__ float weights[64];
__constant__ int table[16] = {1, 2, 3, 4};

// A sum of N products that are all alive at once.
template <int N>
__device__ float wide_sum(const float* x, int i) {
  float kept[N];
#pragma unroll
  for (int k = 0; k < N; ++k) kept[k] = x[i + 64 * k];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) sum += kept[k] * kept[N - 1 - k] + __sinf(kept[(k * 7) % N]);
  return sum;
}

extern "C" __global__ void plain(const float* x, float* y) { y[threadIdx.x] = wide_sum<48>(x, threadIdx.x); }

extern "C" __global__ void __launch_bounds__(1024) bound_1024(const float* x, float* y) {
  y[threadIdx.x] = wide_sum<96>(x, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256, 4) bound_256_4(const float* x, float* y) {
  y[threadIdx.x] = wide_sum<96>(x, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(1024, 2) bound_1024_2(const float* x, float* y) {
  y[threadIdx.x] = wide_sum<96>(x, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(128, 1) bound_128_1(const float* x, float* y) {
  y[threadIdx.x] = wide_sum<160>(x, threadIdx.x);
}

extern "C" __global__ void stack(const int* order, float* y) {
  float kept[100];
  for (int k = 0; k < 100; ++k) kept[k] = y[k * 32 + threadIdx.x];
  for (int k = 0; k < 100; ++k) y[k] = kept[order[k] % 100];
}

__device__ __noinline__ float deep(const float* x, int n) {
  float kept[20];
  for (int k = 0; k < 20; ++k) kept[k] = x[n * k];
  return kept[n % 20] + (n > 0 ? deep(x, n - 1) : 0.0f);
}

extern "C" __global__ void recursion(const float* x, float* y) { y[threadIdx.x] = deep(x, threadIdx.x % 5); }

extern "C" __global__ void barriers(float* y) {
  __shared__ float tile[256];
  __shared__ double wide[33];
  tile[threadIdx.x] = y[threadIdx.x];
  asm volatile("bar.sync 3, 128;");
  wide[threadIdx.x % 33] = tile[255 - threadIdx.x];
  __syncthreads();
  asm volatile("bar.sync 6, 64;");
  y[threadIdx.x] = static_cast<float>(wide[threadIdx.x % 32]);
}

extern "C" __global__ void constants(float* y, int n) {
  y[threadIdx.x] = weights[n] * 1.2345f + table[n % 16];
}

extern "C" __global__ void doubles(double* y, double a) {
  double x = y[threadIdx.x];
  for (int i = 0; i < 4; ++i) x = sqrt(x) / (a + exp(x));
  y[threadIdx.x] = x;
}

extern "C" __global__ void divisions(int* y, int a, unsigned long long b) {
  y[threadIdx.x] = y[threadIdx.x] / a + static_cast<int>((b * threadIdx.x) % 1000003ull);
}

struct Large {
  float values[200];
};
extern "C" __global__ void large_parameter(Large large, float* y, int n) { y[threadIdx.x] = large.values[n]; }

extern "C" __global__ void dynamic_shared(float* y) {
  extern __shared__ float room[];
  room[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void empty() {}
