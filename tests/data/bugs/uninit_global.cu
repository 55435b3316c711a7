// An array that was allocated and never copied to is read.
// run: grid 1 block 32 new out
// finds uninitialized at [read] block 0 thread 0 of new+0
extern "C" __global__ void bug(const int* fresh, int* out) {
  out[threadIdx.x] = fresh[threadIdx.x];  // [read]
}
// says Copy data to it, or cudaMemset it
