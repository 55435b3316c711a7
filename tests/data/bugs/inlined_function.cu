// The mistake stands in a function that was inlined; both places are named.
// run: grid 1 block 32 out
// finds race at [read] block 0 thread 0 of box+124 against [write] block 0 thread 31
__device__ __forceinline__ int take(const int* box, int i) {
  return box[i];  // [read]
}
extern "C" __global__ void bug(int* out) {
  __shared__ int box[32];
  int t = threadIdx.x;
  box[t] = t;  // [write]
  out[t] = take(box, 31 - t);
}
