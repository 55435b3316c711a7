// Each thread counts its numbers in an array of its own and writes the number that occurs most often.
// Registers have no index, so an array whose index is known only at run time lies in local memory: the
// thread's own part of global memory.

extern "C" __global__ void local_array(const int* x, int* most, int n, int each) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= n) return;

  int counts[16] = {};
  for (int k = 0; k < each; ++k)
    ++counts[x[k * n + thread] & 15];  // neighbouring threads, neighbouring numbers
  int best = 0;
  for (int value = 1; value < 16; ++value)
    if (counts[value] > counts[best]) best = value;
  most[thread] = best;
}
