// A wide blur of a picture, from 7 x 7 pixels that are 6 apart. Outside of the picture,
// rule 0: black; 1: the edge repeated; 2: mirrored; 3: around to the other side.
// warplens: in=gray8, out=gray8 zero, width=image_width, height=image_height, rule=0 in 0..3
// warplens: block=16x16, grid=(ceil(image_width/16), ceil(image_height/16))
__device__ int placed(int place, int size, int rule) {
  if (place >= 0 && place < size) return place;
  if (rule == 0) return -1;
  if (rule == 1) return min(max(place, 0), size - 1);
  if (rule == 2) return place < 0 ? -place : 2 * size - 2 - place;
  return (place + size) % size;
}

extern "C" __global__ void rim(const unsigned char* in, unsigned char* out, int width, int height, int rule) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  int sum = 0;
  for (int dy = -18; dy <= 18; dy += 6)
    for (int dx = -18; dx <= 18; dx += 6) {
      int column = placed(x + dx, width, rule), row = placed(y + dy, height, rule);
      if (column >= 0 && row >= 0) sum += in[row * width + column];
    }
  out[y * width + x] = sum / 49;
}
