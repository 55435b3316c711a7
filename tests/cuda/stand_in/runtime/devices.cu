// warplens: --devices 2
// Two devices: what is each device's own, copies from one to the other, peers, and what is an error. On a
// machine with one device only the first part holds.
#include <cuda_runtime.h>

#include <cstring>
#include <thread>
#include <vector>

#include "expect.h"

constexpr int count = 1000;
constexpr size_t bytes = count * sizeof(int);

__device__ int own = 7;
__constant__ int fixed = 3;
#ifndef __clang__  // which has no managed variables in CUDA C++
#define HAS_MANAGED_VARIABLES
__managed__ int shared_by_all = 1;
#endif

__global__ void add(int* to, const int* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] + own + fixed;
}
__global__ void set(int* to, int value) { to[threadIdx.x] = value; }
__global__ void set_own(int value) { own = value; }
#ifdef HAS_MANAGED_VARIABLES
__global__ void add_to_shared(int value) { shared_by_all += value; }
#endif
__global__ void add_atomically(int* to) { atomicAdd(to, 1); }

int current() {
  int device = -1;
  EXPECT_OK(cudaGetDevice(&device));
  return device;
}

int device_of(const void* pointer) {
  cudaPointerAttributes of{};
  EXPECT_OK(cudaPointerGetAttributes(&of, pointer));
  return of.device;
}

int* numbers_on(int device, int first) {
  std::vector<int> host(count);
  for (int i = 0; i < count; ++i) host[i] = first + i;
  int* made = nullptr;
  EXPECT_OK(cudaSetDevice(device));
  EXPECT_OK(cudaMalloc(&made, bytes));
  EXPECT_OK(cudaMemcpy(made, host.data(), bytes, cudaMemcpyHostToDevice));
  return made;
}

bool has_numbers(const int* array, int first, int step = 1) {
  std::vector<int> host(count, -1);
  EXPECT_OK(cudaMemcpy(host.data(), array, bytes, cudaMemcpyDefault));
  for (int i = 0; i < count; ++i)
    if (host[i] != first + step * i) return false;
  return true;
}

void which_devices() {
  EXPECT(current() == 0);
  cudaDeviceProp first{}, second{};
  EXPECT_OK(cudaGetDeviceProperties(&first, 0));
  EXPECT_OK(cudaGetDeviceProperties(&second, 1));
  EXPECT(std::memcmp(&first.uuid, &second.uuid, sizeof first.uuid) != 0);
  char one[32] = {}, other[32] = {};
  EXPECT_OK(cudaDeviceGetPCIBusId(one, sizeof one, 0));
  EXPECT_OK(cudaDeviceGetPCIBusId(other, sizeof other, 1));
  EXPECT(std::strcmp(one, other) != 0);
  int device = -1;
  EXPECT_OK(cudaDeviceGetByPCIBusId(&device, other));
  EXPECT(device == 1);
  EXPECT_CODE(cudaSetDevice(64), cudaErrorInvalidDevice);
  EXPECT_CODE(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT(current() == 0);
  cudaGetLastError();
}

// Each thread of the host begins with device 0.
void threads() {
  EXPECT_OK(cudaSetDevice(1));
  int there = -1, chosen = -1;
  std::thread([&] {
    there = current();
    EXPECT_OK(cudaSetDevice(1));
    chosen = current();
  }).join();
  EXPECT(there == 0 && chosen == 1 && current() == 1);
  EXPECT_OK(cudaSetDevice(0));
}

void memory() {
  size_t free_before = 0, free_after = 0, total = 0;
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaMemGetInfo(&free_before, &total));
  constexpr size_t much = size_t{64} << 20;
  void* large = nullptr;
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaMalloc(&large, much));
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaMemGetInfo(&free_after, &total));
  EXPECT(free_after + much > free_before);  // the other device's memory is not this one's
  EXPECT(device_of(large) == 1);
  EXPECT_OK(cudaFree(large));  // also while another device is current
  int* a = numbers_on(0, 0);
  int* b = numbers_on(1, 5000);
  EXPECT(device_of(a) == 0 && device_of(b) == 1);
  EXPECT(a + count <= b || b + count <= a);
  EXPECT(has_numbers(a, 0) && has_numbers(b, 5000));
  EXPECT_OK(cudaMemcpy(b, a, bytes, cudaMemcpyDefault));
  EXPECT(has_numbers(b, 0));
  int* managed = nullptr;
  EXPECT_OK(cudaMallocManaged(&managed, bytes));
  for (int device : {0, 1}) {
    EXPECT_OK(cudaSetDevice(device));
    set<<<1, 32>>>(managed, 10 + device);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(managed[31] == 10 + device);
  }
  for (void* array : {a, b, managed}) EXPECT_OK(cudaFree(array));
}

void variables() {
  EXPECT_OK(cudaSetDevice(0));
  set_own<<<1, 1>>>(100);
  EXPECT_OK(cudaDeviceSynchronize());
  int value = 0;
  void *here = nullptr, *there = nullptr;
  EXPECT_OK(cudaMemcpyFromSymbol(&value, own, sizeof value));
  EXPECT(value == 100);
  EXPECT_OK(cudaGetSymbolAddress(&here, own));
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaMemcpyFromSymbol(&value, own, sizeof value));
  EXPECT(value == 7);
  EXPECT_OK(cudaGetSymbolAddress(&there, own));
  EXPECT(here != there);
  const int forty = 40;
  EXPECT_OK(cudaMemcpyToSymbol(fixed, &forty, sizeof forty));
  int* a = numbers_on(1, 0);
  add<<<4, 256>>>(a, a, count);
  EXPECT(has_numbers(a, 47));
  // What a kernel may have is set for one device.
  int most = 0;
  EXPECT_OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 1));
  EXPECT_OK(cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  set<<<1, 32, most>>>(a, 8);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaFree(a));
  int* b = numbers_on(0, 0);
  add<<<4, 256>>>(b, b, count);
  EXPECT(has_numbers(b, 103));
  EXPECT_OK(cudaFree(b));
  // A managed variable is the same one for all.
#ifdef HAS_MANAGED_VARIABLES
  for (int device : {0, 1}) {
    EXPECT_OK(cudaSetDevice(device));
    add_to_shared<<<1, 1>>>(10);
    EXPECT_OK(cudaDeviceSynchronize());
  }
  EXPECT(shared_by_all == 21);
#endif
}

void streams() {
  cudaStream_t of[2];
  cudaEvent_t begin[2], end[2];
  int* array[2];
  for (int device : {0, 1}) {
    array[device] = numbers_on(device, device);
    EXPECT_OK(cudaStreamCreate(&of[device]));
    EXPECT_OK(cudaEventCreate(&begin[device]));
    EXPECT_OK(cudaEventCreate(&end[device]));
  }
  EXPECT_OK(cudaSetDevice(0));
  set<<<1, 1, 0, of[1]>>>(array[0], 1);
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_CODE(cudaEventRecord(begin[0], of[1]), cudaErrorInvalidResourceHandle);
  EXPECT_CODE(cudaEventRecord(begin[1], of[0]), cudaErrorInvalidResourceHandle);
  EXPECT_CODE(cudaEventRecord(begin[1]), cudaErrorInvalidResourceHandle);  // the default stream is device 0's
  cudaGetLastError();
  for (int device : {0, 1}) {
    EXPECT_OK(cudaSetDevice(device));
    EXPECT_OK(cudaEventRecord(begin[device], of[device]));
    set<<<1, 1, 0, of[device]>>>(array[device], 50 + device);
    EXPECT_OK(cudaEventRecord(end[device], of[device]));
  }
  // A stream may wait for an event of another device, and a copy may be in a stream of another device.
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaStreamWaitEvent(of[1], end[0], 0));
  EXPECT_OK(cudaMemcpyPeerAsync(array[1], 1, array[0], 0, bytes, of[1]));
  EXPECT_OK(cudaStreamSynchronize(of[1]));
  int value = 0;
  EXPECT_OK(cudaMemcpy(&value, array[1], sizeof value, cudaMemcpyDefault));
  EXPECT(value == 50);
  float ms = -1;
  for (int device : {0, 1}) {
    EXPECT_OK(cudaEventSynchronize(end[device]));
    EXPECT_OK(cudaEventElapsedTime(&ms, begin[device], end[device]));
    EXPECT(ms >= 0);
  }
  EXPECT_CODE(cudaEventElapsedTime(&ms, begin[0], end[1]), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  for (int device : {0, 1}) {
    EXPECT_OK(cudaSetDevice(device));
    EXPECT_OK(cudaFree(array[device]));
    EXPECT_OK(cudaStreamDestroy(of[device]));
    EXPECT_OK(cudaEventDestroy(begin[device]));
    EXPECT_OK(cudaEventDestroy(end[device]));
  }
}

void copies() {
  int* a = numbers_on(0, 0);
  int* b = numbers_on(1, 9000);
  for (int device : {0, 1}) {
    EXPECT_OK(cudaSetDevice(device));
    EXPECT_OK(cudaMemcpyPeer(b, 1, a, 0, bytes));
    EXPECT(has_numbers(b, 0));
    EXPECT_OK(cudaMemset(b, 0, bytes));
  }
  EXPECT_CODE(cudaMemcpyPeer(b, 64, a, 0, bytes), cudaErrorInvalidDevice);
  EXPECT_CODE(cudaMemcpyPeer(b, 1, a, -1, bytes), cudaErrorInvalidDevice);
  cudaGetLastError();
  EXPECT_OK(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
  EXPECT(has_numbers(b, 0));
  // Rows of 100: every second one of the source.
  EXPECT_OK(cudaMemset(b, 0, bytes));
  cudaMemcpy3DPeerParms rows{};
  rows.srcDevice = 0;
  rows.dstDevice = 1;
  rows.srcPtr = make_cudaPitchedPtr(a, 800, 400, 5);
  rows.dstPtr = make_cudaPitchedPtr(b, 400, 400, 5);
  rows.extent = make_cudaExtent(400, 5, 1);
  EXPECT_OK(cudaMemcpy3DPeer(&rows));
  std::vector<int> host(500);
  EXPECT_OK(cudaMemcpy(host.data(), b, 2000, cudaMemcpyDefault));
  EXPECT(host[0] == 0 && host[99] == 99 && host[100] == 200 && host[499] == 899);
  EXPECT_OK(cudaFree(a));
  EXPECT_OK(cudaFree(b));
}

void peers() {
  int can = -1;
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT(can == 0 || can == 1);
  EXPECT_CODE(cudaDeviceCanAccessPeer(&can, 0, 64), cudaErrorInvalidDevice);
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 1, 0));
  int rank = -1, access = -1;
  EXPECT_OK(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, 0, 1));
  EXPECT_OK(cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, 0, 1));
  EXPECT(rank >= 0 && access == can);
  EXPECT_CODE(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, 0, 64), cudaErrorInvalidDevice);
  EXPECT_CODE(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, 1, 1), cudaErrorInvalidDevice);
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_CODE(cudaDeviceEnablePeerAccess(64, 0), cudaErrorInvalidDevice);
  cudaGetLastError();
  if (can == 0) return;
  EXPECT_CODE(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
  EXPECT_CODE(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  EXPECT_OK(cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_CODE(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  cudaGetLastError();
  // Kernels of device 0 read and write the memory of device 1.
  int* b = numbers_on(1, 9000);
  int* a = numbers_on(0, 0);
  add<<<4, 256>>>(a, b, count);
  EXPECT(has_numbers(a, 9103));
  add<<<4, 256>>>(b, a, count);
  EXPECT(has_numbers(b, 9206));
  add_atomically<<<1, 32>>>(b);
  EXPECT_OK(cudaDeviceSynchronize());
  int first = 0;
  EXPECT_OK(cudaMemcpy(&first, b, sizeof first, cudaMemcpyDefault));
  EXPECT(first == 9206 + 32);
  EXPECT_OK(cudaDeviceDisablePeerAccess(1));
  EXPECT_CODE(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  cudaGetLastError();
  EXPECT_OK(cudaFree(a));
  EXPECT_OK(cudaFree(b));
}

// Memory in a stream's order comes from the stream's device, and its pool says who may use it.
void pools() {
  int can = 0;
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  cudaMemPool_t pool{};
  EXPECT_OK(cudaDeviceGetDefaultMemPool(&pool, 1));
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  cudaMemAccessFlags flags{};
  EXPECT_OK(cudaMemPoolGetAccess(&flags, pool, &place));
  EXPECT(flags == cudaMemAccessFlagsProtNone);
  place.id = 1;
  EXPECT_OK(cudaMemPoolGetAccess(&flags, pool, &place));
  EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
  cudaStream_t stream{};
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaSetDevice(0));
  int* array = nullptr;
  EXPECT_OK(cudaMallocAsync(&array, bytes, stream));
  EXPECT(device_of(array) == 1);
  EXPECT_OK(cudaMemsetAsync(array, 0, bytes, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  if (can == 1) {
    cudaMemAccessDesc access{};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 0;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    EXPECT_OK(cudaMemPoolSetAccess(pool, &access, 1));
    set<<<1, 32>>>(array, 5);
    EXPECT_OK(cudaDeviceSynchronize());
    int value = 0;
    EXPECT_OK(cudaMemcpy(&value, array + 31, sizeof value, cudaMemcpyDefault));
    EXPECT(value == 5);
  }
  EXPECT_OK(cudaFreeAsync(array, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_OK(cudaStreamDestroy(stream));
}

// A reset is of one device.
void reset() {
  int* a = numbers_on(0, 0);
  numbers_on(1, 0);
  EXPECT_OK(cudaDeviceReset());
  EXPECT(current() == 1);
#ifdef HAS_MANAGED_VARIABLES
  EXPECT(shared_by_all == 21);
#endif
  int value = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&value, fixed, sizeof value));
  EXPECT(value == 3);
  EXPECT(has_numbers(a, 0));
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaMemcpyFromSymbol(&value, own, sizeof value));
  EXPECT(value == 100);
  EXPECT_OK(cudaFree(a));
}

// Last: it ends the work of device 0.
void out_of_reach() {
  int* b = numbers_on(1, 0);
  EXPECT_OK(cudaSetDevice(0));
  set<<<1, 1>>>(b, 1);
  EXPECT_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
}

// What holds on a machine with one device too.
void alone(int devices) {
  int can = -1, *data = nullptr;
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(can == 0);
  EXPECT_CODE(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  EXPECT_CODE(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  EXPECT_CODE(cudaSetDevice(devices), cudaErrorInvalidDevice);
  EXPECT_CODE(cudaDeviceEnablePeerAccess(devices, 0), cudaErrorInvalidDevice);
  cudaGetLastError();
  EXPECT_OK(cudaMalloc(&data, 128));
  EXPECT_OK(cudaMemcpyPeer(data, 0, data, 0, 128));
  EXPECT_CODE(cudaMemcpyPeer(data, 0, data, devices, 128), cudaErrorInvalidDevice);
  cudaGetLastError();
  EXPECT_OK(cudaFree(data));
}

int main() {
  int devices = 0;
  EXPECT_OK(cudaGetDeviceCount(&devices));
  EXPECT(devices >= 1);
  alone(devices);
  if (devices < 2) return result();
  which_devices();
  threads();
  memory();
  variables();
  streams();
  copies();
  peers();
  pools();
  reset();
  out_of_reach();
  return result();
}
