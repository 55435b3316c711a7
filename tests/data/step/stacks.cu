// callees write nothing of their callers
struct Node {
  int value;
  const Node* next;
};
__device__ int sum_of(const Node* node, int level) {
  int seen[3] = {level, node->value, 0};
  if (node->next == nullptr) {
    return seen[1];
  }
  seen[2] = sum_of(node->next, level + 1);
  int all = seen[1] + seen[2];
  return all;
}
__device__ int odd(int n);
__device__ int even(int n) {
  int rest = n - 1;
  if (n == 0) {
    return 1;
  }
  int answer = odd(rest);
  return answer;
}
__device__ int odd(int n) {
  int rest = n - 1;
  if (n == 0) {
    return 0;
  }
  int answer = even(rest);
  return answer;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node third = {in[i], nullptr};
  Node second = {i, &third};
  Node first = {7, &second};
  const Node* begin = i % 2 == 0 ? &first : &second;
  int total = sum_of(begin, 1);
  int parity = even(i % 6);
  out[i] = total * 10 + parity;
}
