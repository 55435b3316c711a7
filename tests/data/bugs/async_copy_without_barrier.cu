// Each thread waits for its own copies, and reads what another one copied.
// run: grid 1 block 64 in out
// finds race at [read] block 0 thread 0 of tile+4 against [copy] block 0 thread 1
extern "C" __global__ void bug(const int* in, int* out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(tile + t));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(target), "l"(in + t) : "memory");  // [copy]
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = tile[t ^ 1];  // [read]
}
// says Put __syncwarp() between line
// says_not __syncthreads
