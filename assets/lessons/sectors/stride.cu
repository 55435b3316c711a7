// warplens: in=float32[2048] index, out=float32[32] zero, stride=1 in 0..32, shift=0 in 0..31
// warplens: block=32, grid=1
extern "C" __global__ void stride(const float* in, float* out, int stride, int shift) {
  int lane = threadIdx.x;
  out[lane] = in[lane * stride + shift];
}
