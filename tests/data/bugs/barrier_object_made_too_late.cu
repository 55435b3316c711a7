// Another warp may arrive at the barrier before it is initialised: __syncthreads() is missing behind it.
// run: grid 1 block 64 out
// finds race at [arrive] block 0 thread 32 of barrier+0 against [init] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  __shared__ alignas(8) unsigned long long barrier;
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at) : "memory");  // [init]
  if (threadIdx.x >= 32)
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(at) : "memory");  // [arrive]
  out[threadIdx.x] = 1;
}
