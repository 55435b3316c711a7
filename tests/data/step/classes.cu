class Counter {
 public:
  __device__ explicit Counter(int start) : m_count(start), m_step(1) {}
  __device__ void add(int times) {
    for (int j = 0; j < times; ++j) {
      int before = m_count;
      m_count = before + m_step;
    }
    m_step += 1;
  }
  __device__ int get() const { return m_count; }

 private:
  int m_count, m_step;
};
struct Shape {
  int sides;
};
struct Square : Shape {
  float edge;
};
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Counter counter(in[i]);
  counter.add(i % 3);
  counter.add(2);
  Square square;
  square.sides = 4;
  square.edge = i * 0.25f;
  int all = counter.get();
  float around = square.sides * square.edge;
  out[i] = all + static_cast<int>(around);
}
