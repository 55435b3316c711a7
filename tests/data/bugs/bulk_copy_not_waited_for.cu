// A copy in bulk is under way while its target is read: the barrier's phase is not waited for.
// for sm_90
// run: grid 1 block 32 in out
// finds race at [read] block 0 thread 0 of tile+0 against [copy] block 0 thread 0
#define COPY "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"
extern "C" __global__ void bug(const int* in, int* out) {
  __shared__ alignas(16) int tile[32];
  __shared__ alignas(8) unsigned long long barrier;
  int t = threadIdx.x;
  unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  unsigned phase = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(phase) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(phase) : "memory");
    asm volatile(COPY ::"r"(to), "l"(in), "r"(phase) : "memory");  // [copy]
  }
  __syncthreads();
  out[t] = tile[t];  // [read]
}
