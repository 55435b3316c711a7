// Threads past the end have no item. They store what is in their register, and nobody uses it.
// run: grid 1 block 32 in out n 20
extern "C" __global__ void bug(const int* in, int* out, int n) {
  __shared__ int items[32];
  int t = threadIdx.x;
  int item;
  asm volatile(
      "{ .reg .pred p; .reg .b32 r;"
      " setp.lt.s32 p, %1, %2;"
      " @p ld.global.b32 r, [%3];"
      " st.shared.b32 [%4], r; mov.b32 %0, 0; }"
      : "=r"(item)
      : "r"(t), "r"(n), "l"(in + t), "r"((unsigned)__cvta_generic_to_shared(items + t))
      : "memory");
  __syncthreads();
  item = items[31 - t];
  if (31 - t < n) out[t] = item;
}
