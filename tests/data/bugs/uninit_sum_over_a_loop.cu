// The sum begins without a value; it is stored only after the loop.
// run: grid 1 block 32 in out n 7
// finds uninitialized at [add] block 0 thread 0
extern "C" __global__ void bug(const int* in, int* out, int n) {
  int sum;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    sum += in[i];  // [add]
  }
  out[threadIdx.x] = sum;
}
// says Give the variable a value
