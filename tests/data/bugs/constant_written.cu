// A constant is written through a pointer.
// run: grid 1 block 32 out
// faults read_only at [write] block 0 thread 0
__constant__ int table[32];
extern "C" __global__ void bug(int* out) {
  int* writable = const_cast<int*>(table);
  asm volatile("st.global.b32 [%0], %1;" ::"l"(writable + threadIdx.x), "r"(out[0]) : "memory");  // [write]
}
