// One thread does much: thread i adds up i * j * 0.1 for all j below `loops`. The work of all threads
// together is large, and still too few blocks leave most of a large GPU without any.
//
// __dmul_rn is a multiplication that no compiler may fuse with the addition, so that GPU and CPU round alike.

extern "C" __global__ void loop_test(double* out, int n, int loops) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  double sum = 0.0;
  for (int j = 0; j < loops; ++j) sum += __dmul_rn((double)i * j, 0.1);
  out[i] = sum;
}
