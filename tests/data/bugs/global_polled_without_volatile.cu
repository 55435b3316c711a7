// A flag is polled by plain loads.
// run: grid 2 block 1 out n 10
// finds race at [poll] block 1 thread 0 of out+0 against [set] block 0 thread 0
extern "C" __global__ void bug(int* out, int n) {
  if (blockIdx.x == 0) {
    out[0] = 1;  // [set]
  } else {
    int seen = out[0];  // [poll]
    out[1] = seen + n;
  }
}
