__kernel void histogram_shared(__global const uchar* gray, __global uint* bins, int n) {
  __local uint own[256];
  for (int bin = get_local_id(0); bin < 256; bin += get_local_size(0)) own[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  int i = get_global_id(0);
  if (i < n) atomic_inc(&own[gray[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int bin = get_local_id(0); bin < 256; bin += get_local_size(0))
    if (own[bin] > 0) atomic_add(&bins[bin], own[bin]);
}
