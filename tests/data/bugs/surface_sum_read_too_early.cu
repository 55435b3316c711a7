// Blocks add to a texel that one of them reads before the others have.
// run: grid 2 block 32 in surface out
// finds race at [read] block 1 thread 0 of in+0 against [sum] block 0 thread 31
#define ADD "sured.b.add.1d.u32.trap [%0, {%1}], %2;"
extern "C" __global__ void bug(const int*, cudaSurfaceObject_t surface, int* out) {
  if (blockIdx.x == 0) {
    asm volatile(ADD ::"l"(surface), "r"(0), "r"(1) : "memory");  // [sum]
  } else {
    out[threadIdx.x] = surf1Dread<int>(surface, 0);  // [read]
  }
}
