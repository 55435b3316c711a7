// Times launches on the GPU of this machine, for the truth of the time model. Built with nvcc -lcuda, by
// record_times.sh.
//   time_launches LINES DELAY.cubin > TIMES
//   time_launches LINES DELAY.cubin profile    each launch warm, once, where a profiler listens
// A line: name cubin entry grid (3) block (3) shared arguments…, where an argument is b:BYTES:FILL (z zeros,
// r random bytes, f floats from 0 to 1, kS a ring of numbers of elements S apart), i:INT, u:UNSIGNED,
// l:INT64, f:FLOAT or d:DOUBLE. Out, in microseconds, p10 median p90 of each: `plain`: launches between two
// events on a device that waits for them; `busy`: behind a kernel that keeps the device busy until all is on
// the stream; `cold`: as busy, and L2 holds nothing of the arrays.
#include <cuda.h>
#include <cudaProfiler.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    CUresult r = (call);                                                       \
    if (r != CUDA_SUCCESS) {                                                   \
      const char* text = "";                                                   \
      cuGetErrorString(r, &text);                                              \
      std::fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #call, text); \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

using Clock = std::chrono::steady_clock;
static CUstream stream;
static CUevent begin_event, end_event;
static CUfunction delay;
static CUdeviceptr flush, delay_out;
static size_t flush_bytes = 256u << 20;

struct Summary {
  double p10, median, p90;
  size_t count;
};

static Summary summary(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  auto at = [&](double q) { return v[static_cast<size_t>(q * (v.size() - 1) + 0.5)]; };
  return {at(0.1), at(0.5), at(0.9), v.size()};
}

static double time_of(const std::function<void()>& launch, bool busy, bool cold) {
  if (cold) CHECK(cuMemsetD8Async(flush, 1, flush_bytes, stream));
  if (busy) {
    int loops = 250;  // 64 × 250 × 4 cycles: about 35 µs
    void* a[] = {&delay_out, &loops};
    CHECK(cuLaunchKernel(delay, 1, 1, 1, 1, 1, 1, 0, stream, a, nullptr));
  }
  CHECK(cuEventRecord(begin_event, stream));
  launch();
  CHECK(cuEventRecord(end_event, stream));
  CHECK(cuEventSynchronize(end_event));
  float ms = 0;
  CHECK(cuEventElapsedTime(&ms, begin_event, end_event));
  return ms * 1000.0;
}

static void print_times(const std::string& name, const std::function<void()>& launch) {
  for (int i = 0; i < 3; ++i) time_of(launch, false, false);
  auto repeat = [&](int count, bool busy, bool cold) {
    std::vector<double> times;
    const auto start = Clock::now();
    while (times.size() < static_cast<size_t>(count) &&
           (times.size() < 5 || std::chrono::duration<double>(Clock::now() - start).count() < 0.3))
      times.push_back(time_of(launch, busy, cold));
    return summary(times);
  };
  std::printf("%s", name.c_str());
  for (auto [busy, cold, count] : {std::tuple{false, false, 30}, {true, false, 30}, {true, true, 10}}) {
    const Summary s = repeat(count, busy, cold);
    std::printf(" %.3f %.3f %.3f", s.p10, s.median, s.p90);
  }
  std::printf("\n");
  std::fflush(stdout);
}

// What two events measure of nothing, and of a kernel that does nothing: a share of every other time.
static void print_overheads() {
  static const char* const text =
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry empty_kernel() { ret; }\n";
  CUmodule module;
  CUfunction empty;
  CHECK(cuModuleLoadData(&module, text));
  CHECK(cuModuleGetFunction(&empty, module, "empty_kernel"));
  print_times("# nothing", [] {});
  print_times("# empty_kernel",
              [=] { CHECK(cuLaunchKernel(empty, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr)); });
}

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  const bool profile = argc == 4;
  CHECK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&begin_event, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end_event, CU_EVENT_DEFAULT));
  CUmodule delays;
  CHECK(cuModuleLoad(&delays, argv[2]));
  CHECK(cuModuleGetFunction(&delay, delays, "clock_rate"));
  CHECK(cuMemAlloc(&flush, flush_bytes));
  CHECK(cuMemAlloc(&delay_out, 4096));

  const size_t pool_bytes = 512u << 20;
  std::vector<unsigned char> bytes(pool_bytes);
  std::vector<float> floats(pool_bytes / 4);
  std::mt19937_64 random(1);
  for (size_t i = 0; i + 8 <= pool_bytes; i += 8) {
    uint64_t r = random();
    std::memcpy(&bytes[i], &r, 8);
  }
  for (float& f : floats) f = static_cast<float>(random() >> 40) / 16777216.0f;

  if (!profile) print_overheads();
  std::map<std::string, CUmodule> modules;
  std::ifstream file(argv[1]);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, cubin, entry;
    unsigned g[3], b[3], shared;
    if (!(words >> name >> cubin >> entry >> g[0] >> g[1] >> g[2] >> b[0] >> b[1] >> b[2] >> shared))
      continue;
    if (!modules.count(cubin)) CHECK(cuModuleLoad(&modules[cubin], cubin.c_str()));
    CUfunction function;
    CHECK(cuModuleGetFunction(&function, modules[cubin], entry.c_str()));
    std::vector<CUdeviceptr> buffers;
    std::vector<std::vector<char>> values;
    for (std::string word; words >> word;) {
      const char kind = word[0];
      const std::string rest = word.substr(2);
      std::vector<char> value(8);
      auto put = [&](auto v) { std::memcpy(value.data(), &v, sizeof v); };
      if (kind == 'b') {
        const size_t colon = rest.find(':');
        const size_t size = std::stoull(rest.substr(0, colon));
        CUdeviceptr p;
        // Pages of its own: a table of 1 KiB that lies across a boundary of 1 KiB takes atomics twice as
        // fast, and where an allocator puts it depends on the arrays before it.
        constexpr size_t page = 2u << 20;
        CHECK(cuMemAlloc(&p, (size + page) / page * page));
        const char fill = rest[colon + 1];
        if (fill == 'z')
          CHECK(cuMemsetD8(p, 0, size));
        else if (fill == 'k') {
          const unsigned stride = std::stoul(rest.substr(colon + 2)), count = size / 4;
          std::vector<unsigned> ring(count);
          for (unsigned i = 0; i < count; ++i) ring[i] = (i + stride) % count;
          CHECK(cuMemcpyHtoD(p, ring.data(), size));
        } else
          CHECK(cuMemcpyHtoD(p, fill == 'r' ? static_cast<const void*>(bytes.data()) : floats.data(), size));
        buffers.push_back(p);
        put(p);
      } else if (kind == 'i')
        put(static_cast<int>(std::stol(rest)));
      else if (kind == 'u')
        put(static_cast<unsigned>(std::stoul(rest)));
      else if (kind == 'l')
        put(static_cast<long long>(std::stoll(rest)));
      else if (kind == 'f')
        put(std::stof(rest));
      else
        put(std::stod(rest));
      values.push_back(value);
    }
    std::vector<void*> arguments;
    for (auto& v : values) arguments.push_back(v.data());
    auto launch = [&] {
      CHECK(cuLaunchKernel(function, g[0], g[1], g[2], b[0], b[1], b[2], shared, stream, arguments.data(),
                           nullptr));
    };
    if (profile) {
      for (int i = 0; i < 3; ++i) launch();
      CHECK(cuStreamSynchronize(stream));
      CHECK(cuProfilerStart());
      launch();
      CHECK(cuStreamSynchronize(stream));
      CHECK(cuProfilerStop());
      std::fprintf(stderr, "%s\n", name.c_str());
    } else {
      print_times(name, launch);
    }
    for (CUdeviceptr p : buffers) CHECK(cuMemFree(p));
  }
}
