// A copy in bulk takes the tile to device memory while another thread still writes it.
// for sm_90
// run: grid 1 block 64 out
// finds race at [write] block 0 thread 32 of tile+128 against [copy] block 0 thread 0
#define COPY "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;"
extern "C" __global__ void bug(int* out) {
  __shared__ alignas(16) int tile[64];
  int t = threadIdx.x;
  if (t < 32) tile[t] = t;
  if (t < 32) tile[t + 32] = 0;
  __syncthreads();
  unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  if (t == 0) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile(COPY ::"l"(out), "r"(from) : "memory");  // [copy]
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
  if (t >= 32) tile[t] = t;  // [write]
}
