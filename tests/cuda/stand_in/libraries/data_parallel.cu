// nvcc: -lnccl
// warplens: --devices 2
// A line through points by gradient descent, on all devices: each has some of the points, and the same line.
// In each step a device adds up the gradient of its points, NCCL adds up those of all devices, and each
// device takes the same step. The line never leaves the devices.
//
//     warplens run --devices 2 data_parallel.cu 100000 200
#include <cuda_runtime.h>
#include <nccl.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t error_ = (call);                                                     \
    if (error_ != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)
#define CHECK_NCCL(call)                                                                   \
  do {                                                                                     \
    const ncclResult_t error_ = (call);                                                    \
    if (error_ != ncclSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, ncclGetErrorString(error_)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

struct Line {
  double slope, height;
};

// The sum over this device's points; x is spread over 0 to 1.
__global__ void add_gradient(Line* gradient, const Line* line, const double* y, int first, int count,
                             int all) {
  __shared__ double slope, height;
  if (threadIdx.x == 0) slope = height = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const double x = double(first + i) / all;
    const double error = line->slope * x + line->height - y[i];
    atomicAdd(&slope, error * x);
    atomicAdd(&height, error);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  atomicAdd(&gradient->slope, slope);
  atomicAdd(&gradient->height, height);
}
__global__ void step(Line* line, Line* gradient, int all) {
  line->slope -= gradient->slope / all;
  line->height -= gradient->height / all;
  gradient->slope = gradient->height = 0;
}

struct Part {
  int first = 0, count = 0;
  double* y = nullptr;
  Line *line = nullptr, *gradient = nullptr;
  cudaStream_t stream{};
  ncclComm_t comm{};
};

Part make_part(const std::vector<double>& y, int first, int count) {
  Part part;
  part.first = first;
  part.count = count;
  CHECK(cudaStreamCreate(&part.stream));
  CHECK(cudaMalloc(&part.y, count * sizeof(double)));
  CHECK(
      cudaMemcpyAsync(part.y, y.data() + first, count * sizeof(double), cudaMemcpyHostToDevice, part.stream));
  for (Line** one : {&part.line, &part.gradient}) {
    CHECK(cudaMalloc(one, sizeof(Line)));
    CHECK(cudaMemsetAsync(*one, 0, sizeof(Line), part.stream));
  }
  return part;
}

Line fit(const std::vector<double>& y, int steps, int devices) {
  const int all = int(y.size());
  std::vector<Part> parts;
  for (int d = 0; d < devices; ++d) {
    const int first = int(size_t(all) * d / devices), end = int(size_t(all) * (d + 1) / devices);
    CHECK(cudaSetDevice(d));
    parts.push_back(make_part(y, first, end - first));
  }
  std::vector<ncclComm_t> comms(devices);
  CHECK_NCCL(ncclCommInitAll(comms.data(), devices, nullptr));
  for (int s = 0; s < steps; ++s) {
    for (int d = 0; d < devices; ++d) {
      const Part& part = parts[d];
      CHECK(cudaSetDevice(d));
      add_gradient<<<16, 128, 0, part.stream>>>(part.gradient, part.line, part.y, part.first, part.count,
                                                all);
      CHECK(cudaGetLastError());
    }
    // One thread gives the calls of all ranks: they must be in a group.
    CHECK_NCCL(ncclGroupStart());
    for (int d = 0; d < devices; ++d)
      CHECK_NCCL(ncclAllReduce(parts[d].gradient, parts[d].gradient, 2, ncclDouble, ncclSum, comms[d],
                               parts[d].stream));
    CHECK_NCCL(ncclGroupEnd());
    for (int d = 0; d < devices; ++d) {
      CHECK(cudaSetDevice(d));
      step<<<1, 1, 0, parts[d].stream>>>(parts[d].line, parts[d].gradient, all);
      CHECK(cudaGetLastError());
    }
  }
  Line line{};
  for (int d = 0; d < devices; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaStreamSynchronize(parts[d].stream));
    CHECK(cudaMemcpy(&line, parts[d].line, sizeof line, cudaMemcpyDeviceToHost));
    for (void* memory : {static_cast<void*>(parts[d].y), static_cast<void*>(parts[d].line),
                         static_cast<void*>(parts[d].gradient)})
      CHECK(cudaFree(memory));
    CHECK(cudaStreamDestroy(parts[d].stream));
    CHECK_NCCL(ncclCommDestroy(comms[d]));
  }
  return line;
}

int main(int argc, char** argv) {
  const int points = argc > 1 ? std::atoi(argv[1]) : 5000, steps = argc > 2 ? std::atoi(argv[2]) : 50;
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  std::vector<double> y(points);
  for (int i = 0; i < points; ++i) y[i] = 3.0 * i / points + 1 + (i % 7 - 3) * 0.01;
  const Line alone = fit(y, steps, 1), together = fit(y, steps, devices);
  const bool same =
      std::abs(alone.slope - together.slope) < 1e-9 && std::abs(alone.height - together.height) < 1e-9;
  const bool near = steps < 50 || (std::abs(together.slope - 3) < 0.5 && std::abs(together.height - 1) < 0.3);
  std::printf("y = %.6f x + %.6f by %d devices\n%d of 2 hold\n", together.slope, together.height, devices,
              int(same) + int(near));
  return same && near ? 0 : 1;
}
