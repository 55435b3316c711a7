// A member without a value is copied with its structure, and then added.
// run: grid 1 block 16 new_bytes out_bytes
// finds uninitialized at [use] block 0 thread 0 of out_bytes+4
extern "C" __global__ void bug(float4* fresh, float4* out) {
  int t = threadIdx.x;
  fresh[t].x = t;
  __syncwarp();
  out[t] = fresh[t];
  __syncwarp();
  reinterpret_cast<float*>(out)[4 * t] = out[t].y + 1;  // [use]
}
// says stored a value that was undefined
