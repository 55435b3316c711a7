// grid 1 block 32 words 32
// What a breakpoint does where no debugger is.
extern "C" __global__ void run(unsigned* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x == 5) asm volatile("brkpt;");
  out[threadIdx.x] = 2;
}
