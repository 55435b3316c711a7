__kernel void vector_add(__global const float* x, __global const float* y, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = x[i] + y[i];
}
