__kernel void histogram_global(__global const uchar* gray, __global uint* bins, int n) {
  int i = get_global_id(0);
  if (i < n) atomic_inc(&bins[gray[i]]);
}
