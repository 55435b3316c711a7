// free of what was freed.
// run: grid 1 block 1 out
// faults invalid_free at [free] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  int* fresh = static_cast<int*>(malloc(16));
  fresh[0] = 1;
  out[0] = fresh[0];
  free(fresh);
  free(fresh);  // [free]
}
