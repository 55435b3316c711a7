// It waits for its own warp only.
extern "C" __global__ void reverse(int* x, int n) {
  int first = blockIdx.x * blockDim.x;
  int count = min(int(blockDim.x), n - first);
  int i = first + threadIdx.x;
  __shared__ int tile[256];
  if (i < n) tile[threadIdx.x] = x[i];
  __syncwarp();
  if (i < n) x[i] = tile[count - 1 - threadIdx.x];
}
