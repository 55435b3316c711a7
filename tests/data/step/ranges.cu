template <class T, int N>
struct List {
  T items[N];
  int count = 0;
  __device__ void add(T item) {
    if (count < N) {
      items[count] = item;
      ++count;
    }
  }
  __device__ const T* begin() const { return items; }
  __device__ const T* end() const { return items + count; }
};
template <class... Ts>
__device__ int sum_all(Ts... values) {
  int sum = (values + ... + 0);
  return sum;
}
template <int Depth>
__device__ int nested(int x) {
  int here = x + Depth;
  int below = nested<Depth - 1>(here);
  here += below;
  return here;
}
template <>
__device__ int nested<0>(int x) {
  int here = x * 2;
  return here;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  List<int, 4> list;
  for (int j = 0; j < i % 6; ++j) {
    list.add(in[i] + j);
  }
  int total = 0;
  for (int item : list) {
    total += item;
  }
  int sum = sum_all(i, total, 3);
  int deep = nested<3>(i);
  constexpr int offset = 12;
  int result = sum + deep + offset;
  out[i] = result;
}
