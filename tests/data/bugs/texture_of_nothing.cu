// Nobody has written what the texture shows.
// run: grid 1 block 32 new texture out
// finds uninitialized at [read] block 0 thread 0 of new+0
extern "C" __global__ void bug(const int*, cudaTextureObject_t texture, int* out) {
  out[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x);  // [read]
}
