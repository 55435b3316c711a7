// grid 2 block 32 words 320
// Linked lists and objects on the device's heap.
struct Node {
  int value;
  Node* next;
};
struct Counter {
  int* data;
  int size;
  __device__ Counter(int n) : data(new int[n]), size(n) {
    for (int i = 0; i < n; ++i) data[i] = i * i;
  }
  __device__ ~Counter() { delete[] data; }
};
extern "C" __global__ void run(unsigned* out) {
  int t = threadIdx.x, all = blockIdx.x * 32 + t;
  unsigned* mine = out + all * 5;
  Node* head = nullptr;
  for (int i = 0; i < t % 7 + 1; ++i) {
    Node* node = (Node*)malloc(sizeof(Node));
    node->value = i + all;
    node->next = head;
    head = node;
  }
  unsigned sum = 0;
  while (head) {
    sum = sum * 5 + head->value;
    Node* next = head->next;
    free(head);
    head = next;
  }
  mine[0] = sum;
  Counter* counter = new Counter(t + 1);
  mine[1] = counter->data[t] + counter->size;
  delete counter;
  void* p = malloc(100);
  mine[2] = (unsigned)((unsigned long long)p % 16);
  free(p);
  void* huge = malloc(1ull << 30);
  mine[3] = huge == nullptr;
  void* nothing = malloc(0);
  mine[4] = nothing == nullptr;
  free(nothing);
  free(nullptr);
}
