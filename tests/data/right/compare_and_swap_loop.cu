// Loops around a compare-and-swap, as the CUDA programming guide writes them: their first read is not
// atomic. If it reads an old value, the exchange fails and gives the new one.
// run: grid 2 block 64 in out
extern "C" __global__ void bug(int* in, unsigned* out) {
  __shared__ float largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  unsigned old = out[0], assumed;
  do {
    assumed = old;
    old = atomicCAS(&out[0], assumed, assumed * 3 + 1);
  } while (assumed != old);
  float mine = in[threadIdx.x] + threadIdx.x, before = largest;
  while (before < mine) {
    int expected = __float_as_int(before);
    int found = atomicCAS(reinterpret_cast<int*>(&largest), expected, __float_as_int(mine));
    if (found == expected) break;
    before = __int_as_float(found);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[1 + blockIdx.x] = largest;
}
