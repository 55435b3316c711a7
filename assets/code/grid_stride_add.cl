__kernel void grid_stride_add(__global const float* x, __global const float* y, __global float* out, int n) {
  int stride = get_global_size(0);  // work-items in all
  for (int i = get_global_id(0); i < n; i += stride) out[i] = x[i] + y[i];
}
