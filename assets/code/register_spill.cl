__kernel void register_spill(__global const float* x, __global float* out, int n) {
  int item = get_global_id(0);
  if (item >= n) return;

  float v[64];
  for (int k = 0; k < 64; ++k) v[k] = x[k * n + item];
  for (int distance = 1; distance < 64; distance *= 2)
    for (int k = 0; k < 64; ++k)
      if ((k & distance) == 0) {
        float sum = v[k] + v[k + distance], difference = v[k] - v[k + distance];
        v[k] = sum;
        v[k + distance] = difference;
      }
  for (int k = 0; k < 64; ++k) out[k * n + item] = v[k];
}
