// warplens: red=float32[n] formula(i == 0 || i == 3 ? 255 : 0)
// warplens: green=float32[n] formula(i == 1 || i == 3 ? 255 : 0)
// warplens: blue=float32[n] formula(i == 2 || i == 3 ? 255 : 0)
// warplens: gray=uint8[n] zero, n=4, block=4, grid=1
extern "C" __global__ void colours(const float* red, const float* green, const float* blue,
                                   unsigned char* gray, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) gray[i] = .299f * red[i] + .587f * green[i] + .114f * blue[i] + .5f;
}
