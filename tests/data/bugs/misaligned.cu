// A float4 is read at an odd float.
// run: grid 1 block 8 in out
// faults misaligned at [read] block 0 thread 0
extern "C" __global__ void bug(const float* in, float* out) {
  float4 v = *reinterpret_cast<const float4*>(in + 4 * threadIdx.x + 1);  // [read]
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
