extern "C" __global__ void mirror(const unsigned char* source, unsigned char* out, int width, int height) {
  // Which pixel is mine?
  int x = threadIdx.x;
  int y = threadIdx.y;
  out[x] = source[y];
}
