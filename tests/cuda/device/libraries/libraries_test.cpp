// The libraries' calls, on libraries and a driver of the tests' own.
#include "cuda/device/libraries/library_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "core/job/cpu_library.h"
#include "core/job/libraries.h"
#include "cuda/device/backend/remote_gpu.h"
#include "cuda/device/backend/wire.h"
#include "cuda/device/backend/worker.h"
#include "tests/cuda/device/fake_driver.h"

namespace warplens::cuda {
namespace THIS_FILE {

using testing::HasSubstr;

// How the fakes answer, and what is open.
struct FakeLibraries {
  int open = 0, status = 0, info = 0;
} fakes;

float* floats(CUdeviceptr address) { return reinterpret_cast<float*>(static_cast<uintptr_t>(address)); }

template <class Handle>
int open(Handle** handle) {
  *handle = reinterpret_cast<Handle*>(uintptr_t{8});
  ++fakes.open;
  return 0;
}
template <class Handle>
int close(Handle*) {
  --fakes.open;
  return 0;
}

Cublas fake_cublas() {
  Cublas t;
  t.create = open<Cublas::Handle>;
  t.destroy = close<Cublas::Handle>;
  t.version = [](Cublas::Handle*, int* version) { return *version = 120901, 0; };
  t.set_stream = [](Cublas::Handle*, CUstream) { return 0; };
  // As its manual has it: column by column, c = a · b.
  t.sgemm = [](Cublas::Handle*, int, int, int m, int n, int k, const float* alpha, CUdeviceptr a, int lda,
               CUdeviceptr b, int ldb, const float* beta, CUdeviceptr c, int ldc) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        float sum = 0;
        for (int l = 0; l < k; ++l) sum += floats(a)[l * lda + i] * floats(b)[j * ldb + l];
        float& to = floats(c)[j * ldc + i];
        to = *alpha * sum + (*beta == 0 ? 0 : *beta * to);
      }
    return fakes.status;
  };
  return t;
}

// The SVD of the column-major matrix m that is stored there: with m = aᵀ for a row-major a, m = v·s·uᵀ.
LibraryTime solved(CUdeviceptr a, int n) {
  LibraryWork work;
  work.task = LibraryTask::svd;
  work.rows = static_cast<uint32_t>(n);
  work.a.assign(floats(a), floats(a) + n * n);
  std::memset(floats(a), 0, static_cast<size_t>(n * n) * sizeof(float));  // the routines overwrite it
  return cpu_library(work);
}

int answer(CUdeviceptr info) {
  std::memcpy(floats(info), &fakes.info, sizeof fakes.info);
  return fakes.status;
}

Cusolver fake_cusolver() {
  Cusolver t;
  t.version = [](int* version) { return *version = 11705, 0; };
  t.create = open<Cusolver::Handle>;
  t.destroy = close<Cusolver::Handle>;
  t.set_stream = [](Cusolver::Handle*, CUstream) { return 0; };
  t.sgesvd_size = [](Cusolver::Handle*, int, int, int* work) { return *work = 5, 0; };
  t.sgesvd = [](Cusolver::Handle*, signed char, signed char, int n, int, CUdeviceptr a, int, CUdeviceptr s,
                CUdeviceptr u, int, CUdeviceptr vt, int, CUdeviceptr, int, CUdeviceptr, CUdeviceptr info) {
    const std::vector<float> r = solved(a, n).result;
    std::copy_n(r.begin(), n, floats(s));
    std::copy_n(r.begin() + n + n * n, n * n, floats(u));  // columns of v, which are rows of vᵀ
    std::copy_n(r.begin() + n, n * n, floats(vt));         // uᵀ column by column: u row by row
    return answer(info);
  };
  t.create_jacobi = open<Cusolver::Jacobi>;
  t.destroy_jacobi = close<Cusolver::Jacobi>;
  t.sgesvdj_size = [](Cusolver::Handle*, int, int, int, int, CUdeviceptr, int, CUdeviceptr, CUdeviceptr, int,
                      CUdeviceptr, int, int* work, Cusolver::Jacobi*) { return *work = 5, 0; };
  t.sgesvdj = [](Cusolver::Handle*, int, int, int n, int, CUdeviceptr a, int, CUdeviceptr s, CUdeviceptr u,
                 int, CUdeviceptr v, int, CUdeviceptr, int, CUdeviceptr info, Cusolver::Jacobi*) {
    const std::vector<float> r = solved(a, n).result;
    std::copy_n(r.begin(), n, floats(s));
    std::copy_n(r.begin() + n + n * n, n * n, floats(u));
    for (int i = 0; i < n; ++i)  // not transposed
      for (int j = 0; j < n; ++j) floats(v)[j * n + i] = r[static_cast<size_t>(n + i * n + j)];
    return answer(info);
  };
  return t;
}

Curand fake_curand() {
  Curand t;
  t.version = [](int* version) { return *version = 10310, 0; };
  t.create = [](Curand::Generator** generator, int) { return open(generator); };
  t.destroy = close<Curand::Generator>;
  t.set_stream = [](Curand::Generator*, CUstream) { return 0; };
  t.set_seed = [](Curand::Generator*, unsigned long long) { return 0; };
  t.set_offset = [](Curand::Generator*, unsigned long long) { return 0; };
  t.uniform = [](Curand::Generator*, CUdeviceptr to, size_t numbers) {
    uint32_t state = 1;
    for (size_t i = 0; i < numbers; ++i) {
      state = state * 1664525u + 1013904223u;
      floats(to)[i] = static_cast<float>(state >> 8) * 0x1p-24f;
    }
    return fakes.status;
  };
  return t;
}

class LibraryRuns : public testing::Test {
 protected:
  LibraryRuns() {
    fakes = {};
    libraries.cublas = fake_cublas();
    libraries.cusolver = fake_cusolver();
    libraries.curand = fake_curand();
    driver = make_fake();
    device.compute_capability = {9, 0};
    device.sms = 4;
    fake().arguments = 3;
    fake().kernel = [](void** arguments) {  // count_inside
      CUdeviceptr points = 0, total = 0;
      uint64_t n = 0, inside = 0;
      std::memcpy(&points, arguments[0], sizeof points);
      std::memcpy(&n, arguments[1], sizeof n);
      std::memcpy(&total, arguments[2], sizeof total);
      for (uint64_t i = 0; i < n; ++i) {
        const float x = floats(points)[2 * i], y = floats(points)[2 * i + 1];
        inside += x * x + y * y <= 1.f;
      }
      *reinterpret_cast<uint64_t*>(floats(total)) += inside;
      return CUDA_SUCCESS;
    };
  }

  LibraryRun run(const LibraryWork& work) {
    const Result<Context> context = Context::create(driver, 0);
    EXPECT_TRUE(context.ok());
    auto result = measure_libraries(*context, device, libraries, work, {}, [this] { ++passes; });
    EXPECT_TRUE(result.ok()) << (result ? "" : result.error().message);
    return result ? *result : LibraryRun{};
  }
  void expect_nothing_left() const {
    EXPECT_EQ(fake().total_alive(), 0);
    EXPECT_EQ(fakes.open, 0);
  }

  Driver driver;
  Device device;
  Libraries libraries;
  int passes = 0;
};

LibraryWork matmul_work() {
  LibraryWork work;
  work.rows = 3;
  work.columns = 5;
  work.inner = 4;
  for (int i = 0; i < 12; ++i) work.a.push_back(static_cast<float>(i % 5) - 2.f);
  for (int i = 0; i < 20; ++i) work.b.push_back(static_cast<float>(i % 7) - 3.f);
  work.repeat = 4;
  return work;
}

TEST_F(LibraryRuns, MultiplyMatricesThatLieRowByRow) {
  const LibraryWork work = matmul_work();
  const LibraryRun done = run(work);
  ASSERT_EQ(done.routines.size(), 1u);
  const LibraryTime& row = done.routines[0];
  EXPECT_EQ(row.missing, "");
  EXPECT_EQ(row.library, "cuBLAS 12.9.1");
  EXPECT_EQ(library_error(work, row), 0);
  EXPECT_EQ(row.time_us->samples.size(), 4u);
  EXPECT_TRUE(row.copy_in_us && row.copy_out_us);
  EXPECT_EQ(passes, 5) << "one warms up";
  expect_nothing_left();
}

TEST_F(LibraryRuns, TakeMatricesApartByBothMethods) {
  const LibraryWork work = svd_work(9, 3);
  if (!cpu_library(work).missing.empty()) GTEST_SKIP() << cpu_library(work).missing;
  const LibraryRun done = run(work);
  ASSERT_EQ(done.routines.size(), 2u);
  for (const LibraryTime& row : done.routines) {
    EXPECT_EQ(row.missing, "") << row.routine;
    EXPECT_EQ(row.library, "cuSOLVER 11.7.5");
    EXPECT_LT(library_error(work, row), 1e-5) << row.routine;
  }
  expect_nothing_left();
}

TEST_F(LibraryRuns, ThrowPoints) {
  LibraryWork work;
  work.task = LibraryTask::pi;
  work.points = 100'000;
  work.repeat = 3;
  const LibraryRun done = run(work);
  ASSERT_EQ(done.routines.size(), 1u);
  EXPECT_EQ(done.routines[0].library, "cuRAND 10.3.10");
  EXPECT_LT(library_error(work, done.routines[0]), 5);
  EXPECT_FALSE(done.routines[0].copy_in_us) << "the points are made on the device";
  expect_nothing_left();
}

TEST_F(LibraryRuns, SayWhatFailed) {
  fakes.status = 13;
  LibraryTime row = run(matmul_work()).routines.at(0);
  EXPECT_EQ(row.missing, "cublasSgemm answered with status 13.");
  EXPECT_FALSE(row.time_us);
  expect_nothing_left();
  fakes.status = 0;
  fakes.info = 2;
  const LibraryWork svd = svd_work(4, 1);
  if (cpu_library(svd).missing.empty())
    for (const LibraryTime& bad : run(svd).routines) {
      EXPECT_THAT(bad.missing, HasSubstr("did not converge (info 2)"));
      EXPECT_FALSE(bad.time_us);
    }
  libraries.cublas = missing("It is not here.");
  row = run(matmul_work()).routines.at(0);
  EXPECT_EQ(row.library, "cuBLAS");
  EXPECT_EQ(row.missing, "It is not here.");
  expect_nothing_left();
}

// Every call of the driver fails once; nothing is lost, and nothing crashes.
TEST_F(LibraryRuns, GiveEverythingBackWhateverFails) {
  for (const char* call :
       {"cuMemAlloc", "cuMemHostAlloc", "cuStreamCreate", "cuEventCreate", "cuEventRecord",
        "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD8Async", "cuEventElapsedTime",
        "cuStreamSynchronize", "cuModuleLoadDataEx", "cuModuleGetFunction", "cuLaunchKernel"}) {
    for (const LibraryTask task : {LibraryTask::matmul, LibraryTask::pi}) {
      fake().failures = {{call, CUDA_ERROR_OUT_OF_MEMORY}};
      LibraryWork work = matmul_work();
      work.task = task;
      work.points = 100;
      const Result<Context> context = Context::create(driver, 0);
      ASSERT_TRUE(context.ok());
      const auto result = measure_libraries(*context, device, libraries, work, {}, {});
      // For a product: calls that it does not use, a module and a launch, cannot fail.
      const bool used = std::string(call).find("Module") == std::string::npos &&
                        std::string(call) != "cuLaunchKernel" && task == LibraryTask::matmul;
      if (result && used) {
        EXPECT_NE(result->routines.at(0).missing, "") << call;
      }
      fake().failures.clear();
    }
    expect_nothing_left();
  }
}

TEST_F(LibraryRuns, RefuseSizesThatDoNotFit) {
  LibraryWork work = matmul_work();
  work.a.pop_back();
  const Result<Context> context = Context::create(driver, 0);
  const auto result = measure_libraries(*context, device, libraries, work, {}, {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
}

TEST(LibraryLoading, SaysWhatIsMissingAndCanBeTurnedOff) {
  ::setenv("WARPLENS_CUDA_LIBRARIES", "none", 1);
  Libraries libraries = load_libraries(13000);
  ::unsetenv("WARPLENS_CUDA_LIBRARIES");
  ASSERT_FALSE(libraries.cublas.ok());
  EXPECT_THAT(libraries.cublas.error().message, HasSubstr("set to none"));
  libraries = load_libraries(0);  // a driver that is too old for all of them
  ASSERT_FALSE(libraries.cusolver.ok());
  EXPECT_EQ(libraries.cusolver.error().kind, ErrorKind::missing);
  EXPECT_THAT(libraries.cusolver.error().message, HasSubstr("WARPLENS_CUDA_LIBRARIES"));
}

TEST(LibraryLoading, ReadsVersions) {
  EXPECT_EQ(library_version(120901), "12.9.1");
  EXPECT_EQ(library_version(11705), "11.7.5");
  EXPECT_EQ(library_version(12304), "12.3.4");
  EXPECT_EQ(library_version(10310), "10.3.10");
}

TEST(LibraryWire, CarriesWorkAndTimes) {
  LibraryWork work = matmul_work();
  work.seed = 9;
  work.time_limit_ms = 77;
  const auto got = decode_work(encode(work));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->a, work.a);
  EXPECT_EQ(got->b, work.b);
  EXPECT_EQ(got->time_limit_ms, 77u);
  LibraryTime time;
  time.library = "L";
  time.missing = "why";
  time.result = {1, 2};
  time.inside = 5;
  time.time_us = spread_of({1, 3});
  const auto run = decode_times(encode(Result<LibraryRun>(LibraryRun{{time}})));
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->routines[0].result, time.result);
  EXPECT_EQ(run->routines[0].time_us->median, 2);
  EXPECT_EQ(run->routines[0].inside, 5u);
  EXPECT_FALSE(decode_times(encode(Result<LibraryRun>(failed("bad")))).ok());
  const std::string bytes = encode(work);
  for (size_t end = 0; end < bytes.size(); ++end) EXPECT_FALSE(decode_work(bytes.substr(0, end)).ok());
}

class Librarian final : public Backend {
 public:
  explicit Librarian(GpuBackendOptions options) : m_options(std::move(options)) {}
  Result<RunResult> run(std::shared_ptr<const LaunchRequest>, std::stop_token, Progress*) override {
    return failed("no launches here");
  }
  Result<LibraryRun> run_libraries(const Device&, const LibraryWork& work, std::stop_token) override {
    m_options.passed();
    LibraryTime time;
    time.inside = work.points + 1;
    return LibraryRun{{time}};
  }

 private:
  GpuBackendOptions m_options;
};

TEST(LibraryWire, TheWorkerAnswersWork) {
  auto wire = make_wire();
  ASSERT_TRUE(wire.ok());
  std::jthread worker([end = std::move(wire->second)]() mutable {
    serve(end, [](const GpuBackendOptions& options) { return std::make_unique<Librarian>(options); });
  });
  Wire ours = std::move(wire->first);
  LibraryWork work;
  work.points = 41;
  ASSERT_TRUE(ours.send(tag::work, encode(work)));
  Wire::Message message;
  ASSERT_EQ(ours.receive(message, std::chrono::seconds(10)), Wire::State::message);
  EXPECT_EQ(message.tag, tag::passed);
  ASSERT_EQ(ours.receive(message, std::chrono::seconds(10)), Wire::State::message);
  EXPECT_EQ(message.tag, tag::times);
  const auto run = decode_times(message.bytes);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->routines.at(0).inside, 42u);
}

// A library that crashes its process, and one that never answers, cost that process and one sentence.
TEST(LibraryWire, AProcessThatDiesOrHangsIsASentence) {
  LibraryWork work;
  work.time_limit_ms = 200;
  RemoteGpu dead({"/bin/sh", {"-c", "exit 7"}});
  const auto gone = dead.run_libraries({}, work, {});
  ASSERT_FALSE(gone.ok());
  EXPECT_THAT(gone.error().message, HasSubstr("ended with status 7"));
  RemoteGpu hung({"/bin/sh", {"-c", R"(printf 'S\0\0\0\0\0\0\0\0' >&0; exec sleep 1000)"}});
  const auto late = hung.run_libraries({}, work, {});
  ASSERT_FALSE(late.ok());
  EXPECT_THAT(late.error().message, HasSubstr("after 0.2 s"));
}

}  // namespace THIS_FILE
}  // namespace warplens::cuda
