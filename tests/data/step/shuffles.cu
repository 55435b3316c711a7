extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int value = in[i];
  int sum = value;
  for (int offset = 16; offset > 0; offset /= 2) {
    int other = __shfl_down_sync(0xffffffff, sum, offset);
    sum += other;
  }
  unsigned votes = __ballot_sync(0xffffffff, value > 0);
  int positive = __popc(votes);
  if (lane < 10) {
    unsigned mask = __activemask();
    int below = __popc(mask & ((1u << lane) - 1));
    positive += below;
  }
  int first = __shfl_sync(0xffffffff, sum, 0);
  out[i] = sum + positive + first;
}
