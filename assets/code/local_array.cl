__kernel void local_array(__global const int* x, __global int* most, int n, int each) {
  int item = get_global_id(0);
  if (item >= n) return;

  int counts[16];  // private, indexed at run time
  for (int value = 0; value < 16; ++value) counts[value] = 0;
  for (int k = 0; k < each; ++k) ++counts[x[k * n + item] & 15];
  int best = 0;
  for (int value = 1; value < 16; ++value)
    if (counts[value] > counts[best]) best = value;
  most[item] = best;
}
