// cp.async is under way while its target is read.
// run: grid 1 block 32 in out
// finds race at [read] block 0 thread 0 of tile+0 against [copy] block 0 thread 0
// finds uninitialized at [read] block 0 thread 0 of tile+0
extern "C" __global__ void bug(const int* in, int* out) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(tile + t));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(target), "l"(in + t) : "memory");  // [copy]
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  out[t] = tile[t];  // [read]
}
