// grid 1 block 64 words 128
// A jump table in PTX: lanes go to all of its places, and some leave.
extern "C" __global__ void run(unsigned* out) {
  unsigned t = threadIdx.x, x = t, y = 0;
  asm volatile(
      "{\n"
      ".reg .u32 i;\n"
      "rem.u32 i, %2, 5;\n"
      "places: .branchtargets FIRST, SECOND, THIRD, SECOND, END;\n"
      "brx.idx i, places;\n"
      "FIRST: add.u32 %0, %0, 100;\n"
      "SECOND: mul.lo.u32 %0, %0, 3; bra END;\n"
      "THIRD: xor.b32 %1, %0, 255;\n"
      "END:\n"
      "}"
      : "+r"(x), "+r"(y)
      : "r"(t));
  out[t] = x;
  out[64 + t] = y;
}
