// As warp_volatile_sum, with the sum in a register and in device memory.
// run: grid 1 block 32 in out
// finds race at [step] block 0 thread 0 of out+64 against [first] block 0 thread 16
// finds race at [store] block 0 thread 16 of out+64 against [step] block 0 thread 0
extern "C" __global__ void bug(const int* in, int* out) {
  volatile int* s = out;
  int t = threadIdx.x;
  int sum = s[t + 64];
  s[t] = sum = sum + s[t + 96];  // [first]
  int other = s[t + 16];         // [step]
  s[t] = sum + other;            // [store]
}
// says __syncwarp()
