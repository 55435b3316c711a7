// Counts how often each gray value occurs. Many threads add to the same 256 counters, so they must add with
// atomics: without, two threads could read the same old count, and one of them would be lost.

extern "C" __global__ void histogram_global(const unsigned char* gray, unsigned int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[gray[i]], 1);
}
