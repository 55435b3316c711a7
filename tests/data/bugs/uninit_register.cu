// A register is used on a way on which nobody has written it.
// run: grid 1 block 32 out n 16
// finds uninitialized at [use] block 0 thread 16
extern "C" __global__ void bug(int* out, int n) {
  int t = threadIdx.x;
  asm volatile(
      "{ .reg .pred p; .reg .b32 r;"
      " setp.lt.s32 p, %0, %1;"
      " @p add.s32 r, %0, 1;"
      " st.global.b32 [%2], r; }" ::"r"(t),
      "r"(n), "l"(out + t));  // [use]
}
