struct Settings {
  int add;
  float times;
};
__device__ int change(int n, int by) {
  n += by;
  by = n * 2;
  n = by - n;
  return n + by;
}
__device__ float use(Settings settings, float x) {
  settings.times += 1;
  float y = x * settings.times;
  settings.add += static_cast<int>(y);
  return y + settings.add;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  n -= 1;
  int mine = in[i % n];
  out += i;
  in += 1;
  Settings settings = {mine, 0.5f};
  int changed = change(mine, i);
  float used = use(settings, changed);
  *out = static_cast<int>(used) + *in + n;
}
