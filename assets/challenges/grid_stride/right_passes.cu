// Right: it counts the iterations first, and computes each place again.
extern "C" __global__ void twice_and_one(int* x, int n) {
  long long threads = gridDim.x * blockDim.x;
  long long passes = (n + threads - 1) / threads;
#pragma unroll 1
  for (long long pass = 0; pass < passes; ++pass) {
    long long i = (pass * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) x[i % n] = 2 * x[i % n] + 1;
  }
}
