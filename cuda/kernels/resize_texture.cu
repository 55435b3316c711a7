// A picture in another size. The texture unit reads: it takes the four pixels around a place and mixes them
// by their distance, and beyond the edge it repeats the edge. One fetch replaces four loads and their sums.

extern "C" __global__ void resize_texture(cudaTextureObject_t picture, uchar4* out, int width, int height,
                                          int new_width, int new_height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= new_width || y >= new_height) return;

  // The middle of the new pixel, in pixels of the old picture.
  float from_x = (x + .5f) * ((float)width / (float)new_width);
  float from_y = (y + .5f) * ((float)height / (float)new_height);
  float4 color = tex2D<float4>(picture, from_x, from_y);  // 0 to 1
  out[y * new_width + x] = make_uchar4(fmaf(color.x, 255.f, .5f), fmaf(color.y, 255.f, .5f),
                                       fmaf(color.z, 255.f, .5f), fmaf(color.w, 255.f, .5f));
}
