// free() of an address that malloc() has not given.
// run: grid 1 block 1 out
// faults invalid_free at [free] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  int* p = static_cast<int*>(malloc(64));
  if (p == nullptr) return;
  p[1] = 1;
  out[0] = p[1];
  free(p + 1);  // [free]
}
