// warplens: x=float32[n] random(1), out=float32[n] zero, way=0 in 0..1, n=122880 in 1..1000000, block=128, grid=30
extern "C" __global__ void pieces(const float* x, float* out, int way, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  if (way == 0) {
    for (int i = thread; i < n; i += threads) out[i] = 2.f * x[i];
  } else {
    int piece = (n + threads - 1) / threads;
    for (int i = thread * piece; i < min(n, (thread + 1) * piece); ++i) out[i] = 2.f * x[i];
  }
}
