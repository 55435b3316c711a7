// Which pages of managed memory move on a GPU, and how long that takes: CUPTI's records of unified memory,
// for uses of an array one after another. record_pages.py builds and runs it; the columns are in its first
// line.
#include <cuda_runtime.h>
#include <cupti.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Seen {
  unsigned long long to_device, to_host, copies_to_device, copies_to_host, host_misses, device_groups,
      device_misses;
  double copy_ns[2];
} seen;

void CUPTIAPI give(uint8_t** buffer, size_t* size, size_t* records) {
  *size = 1 << 20;
  *buffer = static_cast<uint8_t*>(aligned_alloc(8, *size));
  *records = 0;
}

void CUPTIAPI take(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) continue;
    const auto* counter = reinterpret_cast<CUpti_ActivityUnifiedMemoryCounter2*>(record);
    switch (counter->counterKind) {
      case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
        seen.to_device += counter->value, ++seen.copies_to_device;
        seen.copy_ns[0] += static_cast<double>(counter->end - counter->start);
        break;
      case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
        seen.to_host += counter->value, ++seen.copies_to_host;
        seen.copy_ns[1] += static_cast<double>(counter->end - counter->start);
        break;
      case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
        ++seen.host_misses;
        break;
      case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
        ++seen.device_groups, seen.device_misses += counter->value;
        break;
      default:
        break;
    }
  }
  free(buffer);
}

__global__ void touch(char* array, size_t bytes, size_t stride, bool writes) {
  const size_t at = (blockIdx.x * size_t{blockDim.x} + threadIdx.x) * stride;
  if (at >= bytes) return;
  if (writes)
    array[at] = 1;
  else if (array[at] == 99)
    array[at] = 2;
}

// The array that is used.
size_t array_bytes = 0, filled_bytes = 0;
const char* array_advice = "none";
std::chrono::steady_clock::time_point began;
volatile char sink;

void begin() {
  cudaDeviceSynchronize();
  cuptiActivityFlushAll(1);
  seen = {};
  began = std::chrono::steady_clock::now();
}

void end(const char* side, const char* what, size_t bytes, size_t stride) {
  cudaDeviceSynchronize();
  const double us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
  cuptiActivityFlushAll(1);
  std::printf("%zu\t%zu\t%s\t%s\t%s\t%zu\t%zu\t%llu\t%llu\t%llu\t%llu\t%.0f\t%.0f\n", array_bytes,
              filled_bytes, array_advice, side, what, bytes, stride, seen.to_device, seen.to_host,
              seen.host_misses, seen.device_groups, us, (seen.copy_ns[0] + seen.copy_ns[1]) / 1000);
}

void kernel(char* array, size_t bytes, size_t stride, bool writes) {
  begin();
  const size_t threads = (bytes + stride - 1) / stride;
  touch<<<static_cast<unsigned>((threads + 255) / 256), 256>>>(array, bytes, stride, writes);
  end("kernel", writes ? "writes" : "reads", bytes, stride);
}

void host(char* array, size_t bytes, size_t stride, bool writes) {
  begin();
  for (size_t at = 0; at < bytes; at += stride)
    if (writes)
      array[at] = 3;
    else
      sink = array[at];
  end("host", writes ? "writes" : "reads", bytes, stride);
}

constexpr size_t kib = 1024, mib = 1024 * kib;

struct Array {
  char* at = nullptr;
  explicit Array(size_t bytes, size_t filled, const char* advice = "none") {
    array_bytes = bytes, filled_bytes = filled, array_advice = advice;
    std::printf("new\n");
    if (cudaMallocManaged(&at, bytes) != cudaSuccess) std::exit(1);
    std::memset(at, 1, filled);
  }
  ~Array() { cudaFree(at); }
};

cudaMemLocation device_place() { return {cudaMemLocationTypeDevice, 0}; }
cudaMemLocation host_place() { return {cudaMemLocationTypeHost, 0}; }

}  // namespace

int main() {
  CUpti_ActivityUnifiedMemoryCounterConfig asked[4]{};
  const CUpti_ActivityUnifiedMemoryCounterKind kinds[] = {
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT};
  for (int i = 0; i < 4; ++i) {
    asked[i].scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
    asked[i].kind = kinds[i];
    asked[i].deviceId = 0;
    asked[i].enable = 1;
  }
  cudaFree(nullptr);
  if (const CUptiResult error = cuptiActivityConfigureUnifiedMemoryCounter(asked, 4);
      error != CUPTI_SUCCESS) {
    const char* text = nullptr;
    cuptiGetResultString(error, &text);
    std::fprintf(stderr, "CUPTI cannot count unified memory: %s\n", text);
    return 1;
  }
  cuptiActivityRegisterCallbacks(give, take);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  cudaDeviceProp device{};
  cudaGetDeviceProperties(&device, 0);
  std::printf("# %s, concurrentManagedAccess %d\n", device.name, device.concurrentManagedAccess);
  std::printf(
      "# bytes of the array\tof them written by the host first\tadvice\tside\tdoes\tin so many "
      "bytes\tevery\tbytes moved to the "
      "device\tto the host\tmisses of the host\tgroups of misses of the device\tus in all\tus of copies\n");
  {
    Array warm(mib, mib);
    kernel(warm.at, mib, 1, true);
    host(warm.at, mib, 1, true);
  }
  {
    Array a(16 * mib, 16 * mib);
    kernel(a.at, 16 * mib, 1, true);
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 1, 1, false);
    host(a.at, 16 * mib, 64, false);
    kernel(a.at, 16 * mib, 1, false);
    host(a.at, 16 * mib, 64, true);
    host(a.at, 16 * mib, 64, true);
  }
  {
    Array a(256 * mib, 256 * mib);
    kernel(a.at, 256 * mib, 1, true);
    host(a.at, 256 * mib, 64, false);
    begin();
    cudaMemPrefetchAsync(a.at, 256 * mib, device_place(), 0, nullptr);
    end("prefetch", "device", 256 * mib, 1);
    kernel(a.at, 256 * mib, 1, true);
    begin();
    cudaMemPrefetchAsync(a.at, 256 * mib, host_place(), 0, nullptr);
    end("prefetch", "host", 256 * mib, 1);
    host(a.at, 256 * mib, 64, false);
  }
  for (const size_t stride : {4 * kib, 64 * kib, 128 * kib, 256 * kib, 512 * kib, 1 * mib, 2 * mib}) {
    Array a(16 * mib, 16 * mib);
    kernel(a.at, 16 * mib, stride, true);
    host(a.at, 16 * mib, stride, false);
    host(a.at, 16 * mib, 64, false);
  }
  for (const size_t bytes : {4 * kib, 60 * kib, 64 * kib, 128 * kib, 192 * kib, 256 * kib, 512 * kib,
                             1024 * kib, 1088 * kib, 1536 * kib, 2048 * kib, 2112 * kib, 3 * mib, 5 * mib}) {
    Array a(16 * mib, 16 * mib);
    kernel(a.at, bytes, 1, true);
    host(a.at, bytes, 64, false);
    host(a.at, 16 * mib, 64, false);
  }
  for (const size_t bytes : {size_t{4000}, 40 * kib, 100 * kib, 1000 * kib}) {
    Array a(bytes, bytes);
    kernel(a.at, bytes, 1, true);
    host(a.at, bytes, 1, false);
    kernel(a.at, bytes, 1, false);
    host(a.at, bytes, 1, true);
  }
  {
    Array a(16 * mib, 0);
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 16 * mib, 64, false);
  }
  {
    Array a(16 * mib, 8 * mib);
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 16 * mib, 64, false);
  }
  {
    Array a(16 * mib, 16 * mib, "read_mostly");
    cudaMemAdvise(a.at, 16 * mib, cudaMemAdviseSetReadMostly, device_place());
    kernel(a.at, 16 * mib, 1, false);
    host(a.at, 16 * mib, 64, false);
    kernel(a.at, 16 * mib, 1, false);
    host(a.at, 16 * mib, 64, true);
    kernel(a.at, 16 * mib, 1, false);
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 16 * mib, 64, false);
  }
  {
    Array a(16 * mib, 16 * mib, "prefers_host");
    cudaMemAdvise(a.at, 16 * mib, cudaMemAdviseSetPreferredLocation, host_place());
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 16 * mib, 64, false);
  }
  {
    Array a(16 * mib, 16 * mib, "prefers_device");
    cudaMemAdvise(a.at, 16 * mib, cudaMemAdviseSetPreferredLocation, device_place());
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 16 * mib, 64, false);
    kernel(a.at, 16 * mib, 1, true);
  }
  {
    Array a(16 * mib, 16 * mib, "accessed_by_device");
    cudaMemAdvise(a.at, 16 * mib, cudaMemAdviseSetAccessedBy, device_place());
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 16 * mib, 64, false);
  }
  {
    Array a(16 * mib, 16 * mib, "accessed_by_host");
    cudaMemAdvise(a.at, 16 * mib, cudaMemAdviseSetAccessedBy, host_place());
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 16 * mib, 64, false);
    kernel(a.at, 16 * mib, 1, true);
  }
  {
    std::vector<char> other(16 * mib, 5);
    char* on_device = nullptr;
    cudaMalloc(&on_device, 16 * mib);
    Array a(16 * mib, 16 * mib);
    begin();
    cudaMemcpy(a.at, other.data(), 16 * mib, cudaMemcpyHostToDevice);
    end("copy", "writes", 16 * mib, 1);
    host(a.at, 16 * mib, 64, false);
    kernel(a.at, 16 * mib, 1, true);
    begin();
    cudaMemcpy(other.data(), a.at, 16 * mib, cudaMemcpyDeviceToHost);
    end("copy", "reads", 16 * mib, 1);
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 16 * mib, 64, true);
    begin();
    cudaMemcpy(other.data(), a.at, 16 * mib, cudaMemcpyDeviceToHost);
    end("copy", "reads", 16 * mib, 1);
    kernel(a.at, 16 * mib, 1, true);
    host(a.at, 16 * mib, 64, true);
    begin();
    cudaMemset(a.at, 0, 16 * mib);
    end("copy", "writes", 16 * mib, 1);
    host(a.at, 16 * mib, 64, true);
    begin();
    cudaMemcpy(on_device, a.at, 16 * mib, cudaMemcpyDefault);
    end("copy", "reads", 16 * mib, 1);
    host(a.at, 16 * mib, 64, true);
    begin();
    cudaMemcpy(a.at, on_device, 16 * mib, cudaMemcpyDefault);
    end("copy", "writes", 16 * mib, 1);
    host(a.at, 16 * mib, 64, false);
    begin();
    cudaMemcpy(a.at, other.data(), 16 * mib, cudaMemcpyDefault);
    end("copy", "writes", 16 * mib, 1);
    host(a.at, 16 * mib, 64, false);
    cudaFree(on_device);
  }
  return 0;
}
