// The fourth member of a vector has no value, and is loaded with the others, but not used.
// run: grid 1 block 16 new_bytes out_bytes
extern "C" __global__ void bug(float4* fresh, float* out) {
  int t = threadIdx.x;
  fresh[t].x = t;
  fresh[t].y = t;
  fresh[t].z = t;
  __syncwarp();
  float4 v = fresh[15 - t];
  out[t] = v.x + v.y * v.z;
}
