// What was freed is read.
// run: grid 1 block 1 out
// faults out_of_bounds at [read] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  volatile int* fresh = static_cast<int*>(malloc(16));
  fresh[0] = 1;
  free(const_cast<int*>(fresh));
  out[0] = fresh[0];  // [read]
}
