// One block writes through a surface what another reads through a pointer.
// run: grid 2 block 32 in surface out
// finds race at [read] block 1 thread 0 of in+0 against [write] block 0 thread 0
extern "C" __global__ void bug(const volatile int* in, cudaSurfaceObject_t surface, int* out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    surf1Dwrite(t, surface, t * 4);  // [write]
  } else {
    out[t] = in[t];  // [read]
  }
}
