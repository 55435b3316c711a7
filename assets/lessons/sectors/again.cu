// warplens: in=float32[32] index, out=float32[32] zero, block=32, grid=1
extern "C" __global__ void again(const float* in, float* out) {
  int lane = threadIdx.x;
  float mine = in[lane];
  float opposite = in[31 - lane];
  float neighbour = in[lane ^ 1];
  out[lane] = mine + opposite + neighbour;
}
