#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void loop_test(__global double* out, int n, int loops) {
  int i = get_global_id(0);
  if (i >= n) return;

  double sum = 0.0;
  for (int j = 0; j < loops; ++j) sum += (double)i * j * 0.1;
  out[i] = sum;
}
