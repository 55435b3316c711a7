// Right, but a thread's elements are neighbours, so those of a warp are far apart.
extern "C" __global__ void twice_and_one(int* x, int n) {
  int threads = gridDim.x * blockDim.x;
  int each = (n + threads - 1) / threads;
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int i = first; i < first + each && i < n; ++i) x[i] = 2 * x[i] + 1;
}
