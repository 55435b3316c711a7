// A result is added to an array that nobody has set to zero.
// run: grid 1 block 32 new out
// finds uninitialized at [add] block 0 thread 0 of new+0
extern "C" __global__ void bug(int* fresh, int* out) {
  fresh[threadIdx.x] += threadIdx.x;  // [add]
  out[threadIdx.x] = 0;
}
// says Set it to zero with cudaMemset
