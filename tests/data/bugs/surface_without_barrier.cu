// A surface is read where another warp writes it.
// run: grid 1 block 64 in surface out
// finds race at [read] block 0 thread 0 of in+4 against [write] block 0 thread 1
extern "C" __global__ void bug(const int*, cudaSurfaceObject_t surface, int* out) {
  int t = threadIdx.x;
  surf1Dwrite(t, surface, t * 4);                       // [write]
  out[t] = surf1Dread<int>(surface, (t + 1) % 32 * 4);  // [read]
}
