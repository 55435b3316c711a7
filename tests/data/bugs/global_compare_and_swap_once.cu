// Each thread reads a number and exchanges it once. If another thread was faster, its sum is lost: nothing
// looks at what the exchange gives.
// run: grid 1 block 64 out
// finds race at [swap] block 0 thread 0 of out+0 against [read] block 0 thread 1
extern "C" __global__ void bug(int* out) {
  int old = out[0];                  // [read]
  atomicCAS(&out[0], old, old + 1);  // [swap]
}
