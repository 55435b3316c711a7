// The mean of 3 x 3 pixels, through a tile with a border. Who fills the tile?
// warplens: in=int32[width, height] formula(9), out=int32[width, height] zero, width=24, height=24, way=0 in 0..3
// warplens: block=8x8, grid=(width/8, height/8)
extern "C" __global__ void corner(const int* in, int* out, int width, int height, int way) {
  __shared__ int tile[10][10];
  int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 8 - 1, top = blockIdx.y * 8 - 1;
  auto load = [&](int column, int row) {
    tile[row][column] = in[min(max(top + row, 0), height - 1) * width + min(max(left + column, 0), width - 1)];
  };
  if (way == 0) {  // each thread its own pixel
    load(x + 1, y + 1);
  } else if (way == 1) {  // and the threads at the four sides the pixel next to them
    load(x + 1, y + 1);
    if (x == 0) load(0, y + 1);
    if (x == 7) load(9, y + 1);
    if (y == 0) load(x + 1, 0);
    if (y == 7) load(x + 1, 9);
  } else if (way == 2) {  // each thread one pixel of the upper left, one of the lower right
    load(x, y);
    load(x + 2, y + 2);
  } else {  // all threads in turn, over all pixels of the tile
    for (int i = y * 8 + x; i < 100; i += 64) load(i % 10, i / 10);
  }
  __syncthreads();

  int sum = 0;
  for (int k = 0; k < 9; ++k) sum += tile[y + k / 3][x + k % 3];
  out[(top + 1 + y) * width + left + 1 + x] = sum / 9;
}
