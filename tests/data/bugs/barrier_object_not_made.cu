// Threads arrive at a barrier in shared memory that nobody has initialised.
// run: grid 1 block 32 out
// finds uninitialized at [arrive] block 0 thread 0 of barrier+0
extern "C" __global__ void bug(int* out) {
  __shared__ alignas(8) unsigned long long barrier;
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(at) : "memory");  // [arrive]
  out[threadIdx.x] = 1;
}
