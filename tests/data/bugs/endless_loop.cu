// A flag that nobody raises is waited for.
// run: grid 1 block 32 out
// faults step_limit at [spin] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  while (reinterpret_cast<volatile int*>(out)[0] == 0) {  // [spin]
  }
}
