// warplens: in=float32[n*64] random(1, 0, 1), out=float32[n] zero, n=16896, batch=1, block=128, grid=ceil(n/block_x)
extern "C" __global__ void add_up(const float* in, float* out, int n, int batch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  if (batch == 1) {
#pragma unroll 1
    for (int k = 0; k < 64; ++k) sum += in[k * n + i];
  } else if (batch == 4) {
#pragma unroll 1
    for (int k = 0; k < 64; k += 4) {
      float a = in[k * n + i], b = in[(k + 1) * n + i], c = in[(k + 2) * n + i], d = in[(k + 3) * n + i];
      sum += a + b + c + d;
    }
  }
  out[i] = sum;
}
