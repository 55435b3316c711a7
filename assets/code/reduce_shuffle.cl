#pragma OPENCL EXTENSION cl_khr_subgroups : enable

// A sub-group is OpenCL's warp; a device that has none cannot build this.
__kernel void reduce_shuffle(__global const float* x, __global float* sums, int n) {
  __local float of_group[1024];  // one sum for each sub-group
  int i = get_global_id(0);
  float sum = sub_group_reduce_add(i < n ? x[i] : 0.f);
  if (get_sub_group_local_id() == 0) of_group[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);

  if (get_local_id(0) != 0) return;
  for (uint group = 1; group < get_num_sub_groups(); ++group) sum += of_group[group];
  sums[get_group_id(0)] = sum;
}
