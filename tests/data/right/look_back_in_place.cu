// Blocks shift an array in place. Each block has read its part before it gives the next one a sign, and the
// sign has no fence: it orders only what was read.
// run: grid 2 block 32 in out
extern "C" __global__ void bug(int* in, int* out) {
  int t = threadIdx.x, b = blockIdx.x;
  volatile int* sign = out;
  int mine = in[32 * b + t];
  int next = b == 0 ? in[32 + t] : 0;
  __syncthreads();
  if (b == 0) {
    if (t == 0) *sign = 1 + (mine + next) / 1000;
  } else {
    if (t == 0)
      while (*sign == 0) {
      }
    __syncthreads();
    in[32 + t] = mine + 1;
  }
}
