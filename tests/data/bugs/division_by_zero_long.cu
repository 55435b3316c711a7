// 64-bit division by zero in one block only.
// run: grid 3 block 32 out n 0
// finds division_by_zero at [divide] block 2 thread 0
extern "C" __global__ void bug(int* out, unsigned n) {
  unsigned long long divisor = static_cast<unsigned long long>(blockIdx.x == 2 ? n : blockIdx.x + 1) << 33;
  out[blockIdx.x * 32 + threadIdx.x] = 0xffffffffffffffffull / divisor;  // [divide]
}
