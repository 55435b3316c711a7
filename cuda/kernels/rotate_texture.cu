// A picture turned around its middle. Each thread turns its pixel back and reads where it came from, which is
// seldom the middle of a pixel: the texture unit mixes the four around it. Outside of the picture it reads 0.

extern "C" __global__ void rotate_texture(cudaTextureObject_t picture, uchar4* out, int width, int height,
                                          float cosine, float sine) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  float middle_x = width * .5f, middle_y = height * .5f;
  float right = (x + .5f) - middle_x, down = (y + .5f) - middle_y;
  float from_x = fmaf(cosine, right, fmaf(sine, down, middle_x));
  float from_y = fmaf(cosine, down, fmaf(-sine, right, middle_y));
  float4 color = tex2D<float4>(picture, from_x, from_y);  // 0 to 1
  out[y * width + x] = make_uchar4(fmaf(color.x, 255.f, .5f), fmaf(color.y, 255.f, .5f),
                                   fmaf(color.z, 255.f, .5f), fmaf(color.w, 255.f, .5f));
}
