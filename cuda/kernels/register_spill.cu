// Each thread transforms 64 numbers (Walsh and Hadamard: sums and differences of pairs, in six rounds) and
// keeps all of them in registers. Where the compiler may use fewer than that, it must put some away to local
// memory and fetch them back: it spills.

extern "C" __global__ void register_spill(const float* x, float* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= n) return;

  float v[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) v[k] = x[k * n + thread];
#pragma unroll
  for (int distance = 1; distance < 64; distance *= 2)
#pragma unroll
    for (int k = 0; k < 64; ++k)
      if ((k & distance) == 0) {
        float sum = v[k] + v[k + distance], difference = v[k] - v[k + distance];
        v[k] = sum;
        v[k + distance] = difference;
      }
#pragma unroll
  for (int k = 0; k < 64; ++k) out[k * n + thread] = v[k];
}
