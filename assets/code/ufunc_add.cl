__kernel void ufunc_add(__global const long* x, __global const long* y, __global long* out, long n) {
  long i = get_global_id(0);
  if (i < n) out[i] = x[i] + y[i];
}
