// Copies and a kernel one after the other, and in four parts in four streams: the table of
// docs/recording.md#what-could-overlap.
//   nvcc -O3 -arch=native overlap.cu -o overlap
//   overlap ROUNDS serial|parts [REPETITIONS]     prints the median time in µs
//   warplens run --device h200 --record serial.warplens overlap.cu -- ROUNDS serial 1
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void waves(const float* in, float* out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  for (int round = 0; round < rounds; ++round) v = v * 0.9f + 0.1f * __sinf(v);
  out[i] = v;
}

int main(int, char** words) {
  const int rounds = atoi(words[1]), n = 1 << 22, parts = strcmp(words[2], "parts") == 0 ? 4 : 1;
  const int repetitions = words[3] ? atoi(words[3]) : 20;
  float *in, *out, *device_in, *device_out;
  cudaMallocHost(&in, n * sizeof(float));
  cudaMallocHost(&out, n * sizeof(float));
  cudaMalloc(&device_in, n * sizeof(float));
  cudaMalloc(&device_out, n * sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = i % 100;
  cudaStream_t streams[4];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  cudaEvent_t begin, end, done[4];
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (cudaEvent_t& event : done) cudaEventCreate(&event);
  std::vector<float> times;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const int part = n / parts;
    cudaDeviceSynchronize();
    cudaEventRecord(begin, streams[0]);
    for (int p = 0; p < parts; ++p) {
      if (p > 0) cudaStreamWaitEvent(streams[p], begin, 0);
      const int from = p * part;
      cudaMemcpyAsync(device_in + from, in + from, part * sizeof(float), cudaMemcpyHostToDevice, streams[p]);
      waves<<<part / 256, 256, 0, streams[p]>>>(device_in + from, device_out + from, part, rounds);
      cudaMemcpyAsync(out + from, device_out + from, part * sizeof(float), cudaMemcpyDeviceToHost,
                      streams[p]);
      cudaEventRecord(done[p], streams[p]);
    }
    for (int p = 1; p < parts; ++p) cudaStreamWaitEvent(streams[0], done[p], 0);
    cudaEventRecord(end, streams[0]);
    cudaDeviceSynchronize();
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    times.push_back(ms * 1000);
  }
  std::sort(times.begin(), times.end());
  printf("%.1f\n", times[times.size() / 2]);
  return 0;
}
