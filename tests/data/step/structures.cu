struct Point {
  float x, y;
  int tag;
};
struct Line {
  Point from, to;
  double length2;
  unsigned char kind;
  bool closed;
};
__device__ float dot(const Point& a, const Point& b) {
  float xx = a.x * b.x;
  float yy = a.y * b.y;
  return xx + yy;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Point p;
  p.x = in[i];
  p.y = i * 0.5f;
  p.tag = 7;
  Point q = p;
  q.x += 1.5f;
  Line line = {p, q, 0.25, 3, true};
  line.length2 = dot(p, q) * 2.0;
  line.kind = static_cast<unsigned char>(i);
  float d = dot(line.from, line.to);
  out[i] = static_cast<int>(d + line.length2) + q.tag + line.kind;
}
