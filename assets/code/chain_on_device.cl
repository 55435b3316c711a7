__kernel void add(__global const float* x, __global const float* y, __global float* sum, int n) {
  int i = get_global_id(0);
  if (i < n) sum[i] = x[i] + y[i];
}

__kernel void scale(__global const float* x, float factor, __global float* scaled, int n) {
  int i = get_global_id(0);
  if (i < n) scaled[i] = factor * x[i];
}

__kernel void root(__global const float* x, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = sqrt(x[i]);
}
