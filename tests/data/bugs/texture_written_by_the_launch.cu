// A texture need not see what the launch writes, not even behind a barrier, or by the same thread.
// run: grid 1 block 32 out texture out
// finds race at [read] block 0 thread 0 of out+4 against [write] block 0 thread 1
extern "C" __global__ void bug(int* data, cudaTextureObject_t texture, int* out) {
  int t = threadIdx.x;
  data[t] = t;  // [write]
  __syncthreads();
  out[t] = tex1Dfetch<int>(texture, (t + 1) % 32);  // [read]
}
// says launch a second kernel
// says_not Put __sync
