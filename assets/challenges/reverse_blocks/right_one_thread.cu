// Right, but one thread of a block does all the work.
extern "C" __global__ void reverse(int* x, int n) {
  if (threadIdx.x > 0) return;
  int low = blockIdx.x * blockDim.x;
  int high = min(low + int(blockDim.x), n) - 1;
  for (; low < high; ++low, --high) {
    int kept = x[low];
    x[low] = x[high];
    x[high] = kept;
  }
}
