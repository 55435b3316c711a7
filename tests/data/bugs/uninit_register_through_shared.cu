// A register without a value goes through shared memory, and is then used.
// run: grid 1 block 32 out n 20
// finds uninitialized at [use] block 0 thread 20 of items+80
extern "C" __global__ void bug(int* out, int n) {
  __shared__ int items[32];
  int t = threadIdx.x;
  asm volatile(
      "{ .reg .pred p; .reg .b32 r;"
      " setp.lt.s32 p, %0, %1;"
      " @p mov.b32 r, 3;"
      " st.shared.b32 [%2], r; }" ::"r"(t),
      "r"(n), "r"((unsigned)__cvta_generic_to_shared(items + t))
      : "memory");
  __syncthreads();
  out[t] = items[t] + 1;  // [use]
}
