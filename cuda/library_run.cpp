#include "cuda/library_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/embedded.h"
#include "cuda/error.h"
#include "cuda/measuring.h"
#include "cuda/module.h"
#include "cuda/stopwatch.h"

namespace warplens::cuda {

namespace {

constexpr int no_transpose = 0;   // CUBLAS_OP_N
constexpr int with_vectors = 1;   // CUSOLVER_EIG_MODE_VECTOR
constexpr int philox = 161;       // CURAND_RNG_PSEUDO_PHILOX4_32_10
constexpr signed char all = 'A';  // all columns of u, all rows of vᵀ
constexpr uint64_t points_at_once = 1 << 24;

// Device memory with page-locked host memory of the same size.
struct Array {
  Owned<CUdeviceptr> device;
  Owned<void*> host;
  uint64_t bytes = 0;

  static Result<Array> make(const Context& context, uint64_t bytes, const char* what) {
    Result<Owned<CUdeviceptr>> device = context.allocate(bytes, what);
    if (!device) return device.error();
    Result<Owned<void*>> host = context.allocate_host(bytes);
    if (!host) return host.error();
    return Array{std::move(*device), std::move(*host), bytes};
  }
  CUdeviceptr address() const { return device.get(); }
  HostCopy copy() const { return {device.get(), host.get(), bytes}; }
  void set(const std::vector<float>& values) const {
    std::memcpy(host.get(), values.data(), std::min<uint64_t>(bytes, values.size() * sizeof(float)));
  }
  float at(size_t i) const { return static_cast<const float*>(host.get())[i]; }
};

// What the routines share. A routine's own failure goes to its row.
struct Bench {
  const Context& context;
  const LibraryWork& work;
  const std::stop_token& stop;
  const std::function<void()>& passed;
  Stopwatch& watch;

  Result<void> measure(const std::vector<HostCopy>& in, const std::function<Result<void>()>& call,
                       const std::vector<HostCopy>& out, LibraryTime& row) const {
    return watch.measure(in, call, out, work.repeat, stop, passed, row);
  }
};

Result<void> succeeded(int status, const char* function) {
  if (status == 0) return {};
  return failed(fmt::format("{} answered with status {}.", function, status));
}

// Whatever `make` is given to fill; released by `release` when its owner goes.
template <class Handle>
Result<Owned<Handle*>> owned(int (*make)(Handle**), int (*release)(Handle*), const char* function) {
  Handle* handle = nullptr;
  if (const Result<void> made = succeeded(make(&handle), function); !made) return made.error();
  return Owned<Handle*>(handle, [release](Handle* h) { release(h); });
}

// --- cuBLAS -----------------------------------------------------------------------------------------------

Result<void> run_sgemm(const Bench& bench, const Cublas& cublas, LibraryTime& row) {
  Result<Owned<Cublas::Handle*>> handle = owned(cublas.create, cublas.destroy, "cublasCreate");
  if (!handle) return handle.error();
  int version = 0;
  if (cublas.version(handle->get(), &version) == 0) row.library += " " + library_version(version);
  if (const auto set = succeeded(cublas.set_stream(handle->get(), bench.watch.stream()), "cublasSetStream");
      !set)
    return set;
  const LibraryWork& work = bench.work;
  const uint64_t results = uint64_t{work.rows} * work.columns;
  Result<Array> a = Array::make(bench.context, work.a.size() * sizeof(float), "the left matrix"),
                b = Array::make(bench.context, work.b.size() * sizeof(float), "the right matrix"),
                c = Array::make(bench.context, results * sizeof(float), "the product");
  for (const Result<Array>* array : {&a, &b, &c})
    if (!*array) return array->error();
  a->set(work.a);
  b->set(work.b);
  const int m = static_cast<int>(work.rows), n = static_cast<int>(work.columns),
            k = static_cast<int>(work.inner);
  const float one = 1, zero = 0;
  // cuBLAS goes column by column, for which our rows are columns: cᵀ = bᵀ · aᵀ.
  const auto call = [&] {
    return succeeded(cublas.sgemm(handle->get(), no_transpose, no_transpose, n, m, k, &one, b->address(), n,
                                  a->address(), k, &zero, c->address(), n),
                     "cublasSgemm");
  };
  const Result<void> measured = bench.measure({a->copy(), b->copy()}, call, {c->copy()}, row);
  if (!measured) return measured;
  for (uint64_t i = 0; i < results; ++i) row.result.push_back(c->at(i));
  return {};
}

// --- cuSOLVER ---------------------------------------------------------------------------------------------

// The arrays of an SVD, and what the routines answer besides: 0 where they have converged.
struct SvdArrays {
  Array a, s, u, v, info;
  int n = 0;

  static Result<SvdArrays> make(const Context& context, uint32_t n) {
    const uint64_t square = uint64_t{n} * n * sizeof(float);
    Result<Array> a = Array::make(context, square, "the matrix"),
                  s = Array::make(context, n * sizeof(float), "the singular values"),
                  u = Array::make(context, square, "u"), v = Array::make(context, square, "v"),
                  info = Array::make(context, sizeof(int), "the answer");
    for (const Result<Array>* array : {&a, &s, &u, &v, &info})
      if (!*array) return array->error();
    return SvdArrays{std::move(*a), std::move(*s),    std::move(*u),
                     std::move(*v), std::move(*info), static_cast<int>(n)};
  }
};

// Singular values, u and vᵀ row by row. The routines work column by column on our rows, so on aᵀ = v·s·uᵀ:
// their left vectors, a column each, are the rows of our vᵀ. `right_transposed`: of the right ones they give
// the transpose, as gesvd does.
Result<void> take_svd(const SvdArrays& arrays, bool right_transposed, const char* function,
                      LibraryTime& row) {
  int info = 0;
  std::memcpy(&info, arrays.info.host.get(), sizeof info);
  if (info != 0) return failed(fmt::format("{} did not converge (info {}).", function, info));
  const auto n = static_cast<size_t>(arrays.n);
  row.result.reserve(n + 2 * n * n);
  for (size_t i = 0; i < n; ++i) row.result.push_back(arrays.s.at(i));
  for (size_t i = 0; i < n; ++i)  // u: right vectors of aᵀ as columns
    for (size_t j = 0; j < n; ++j)
      row.result.push_back(arrays.v.at(right_transposed ? i * n + j : j * n + i));
  for (size_t i = 0; i < n * n; ++i) row.result.push_back(arrays.u.at(i));
  return {};
}

Result<Owned<Cusolver::Handle*>> open_solver(const Bench& bench, const Cusolver& cusolver, LibraryTime& row) {
  int version = 0;
  if (cusolver.version(&version) == 0) row.library += " " + library_version(version);
  Result<Owned<Cusolver::Handle*>> handle = owned(cusolver.create, cusolver.destroy, "cusolverDnCreate");
  if (!handle) return handle.error();
  const auto set = succeeded(cusolver.set_stream(handle->get(), bench.watch.stream()), "cusolverDnSetStream");
  if (!set) return set.error();
  return handle;
}

// What the two routines have of their own.
struct SvdRoutine {
  const char* name;
  bool right_transposed;
  std::function<int(Cusolver::Handle* handle, const SvdArrays& arrays, int* elements)> scratch_size;
  std::function<int(Cusolver::Handle* handle, const SvdArrays& arrays, CUdeviceptr scratch, int elements)>
      solve;
};

Result<void> run_svd(const Bench& bench, Cusolver::Handle* handle, const SvdRoutine& routine,
                     LibraryTime& row) {
  Result<SvdArrays> arrays = SvdArrays::make(bench.context, bench.work.rows);
  if (!arrays) return arrays.error();
  int elements = 0;
  const std::string size_name = std::string(routine.name) + "_bufferSize";
  if (const auto r = succeeded(routine.scratch_size(handle, *arrays, &elements), size_name.c_str()); !r)
    return r;
  Result<Owned<CUdeviceptr>> scratch =
      bench.context.allocate(static_cast<uint64_t>(elements) * sizeof(float), "scratch memory");
  if (!scratch) return scratch.error();
  arrays->a.set(bench.work.a);
  const auto call = [&] {
    return succeeded(routine.solve(handle, *arrays, scratch->get(), elements), routine.name);
  };
  const Result<void> measured =
      bench.measure({arrays->a.copy()}, call,
                    {arrays->s.copy(), arrays->u.copy(), arrays->v.copy(), arrays->info.copy()}, row);
  if (!measured) return measured;
  return take_svd(*arrays, routine.right_transposed, routine.name, row);
}

Result<void> run_gesvd(const Bench& bench, const Cusolver& cusolver, LibraryTime& row) {
  Result<Owned<Cusolver::Handle*>> handle = open_solver(bench, cusolver, row);
  if (!handle) return handle.error();
  const SvdRoutine routine{
      "cusolverDnSgesvd", true,
      [&](auto* h, const SvdArrays& x, int* elements) { return cusolver.sgesvd_size(h, x.n, x.n, elements); },
      [&](auto* h, const SvdArrays& x, CUdeviceptr scratch, int elements) {
        return cusolver.sgesvd(h, all, all, x.n, x.n, x.a.address(), x.n, x.s.address(), x.u.address(), x.n,
                               x.v.address(), x.n, scratch, elements, 0, x.info.address());
      }};
  return run_svd(bench, handle->get(), routine, row);
}

Result<void> run_gesvdj(const Bench& bench, const Cusolver& cusolver, LibraryTime& row) {
  Result<Owned<Cusolver::Handle*>> handle = open_solver(bench, cusolver, row);
  if (!handle) return handle.error();
  Result<Owned<Cusolver::Jacobi*>> jacobi =
      owned(cusolver.create_jacobi, cusolver.destroy_jacobi, "cusolverDnCreateGesvdjInfo");
  if (!jacobi) return jacobi.error();
  const SvdRoutine routine{"cusolverDnSgesvdj", false,
                           [&](auto* h, const SvdArrays& x, int* elements) {
                             return cusolver.sgesvdj_size(h, with_vectors, 0, x.n, x.n, x.a.address(), x.n,
                                                          x.s.address(), x.u.address(), x.n, x.v.address(),
                                                          x.n, elements, jacobi->get());
                           },
                           [&](auto* h, const SvdArrays& x, CUdeviceptr scratch, int elements) {
                             return cusolver.sgesvdj(h, with_vectors, 0, x.n, x.n, x.a.address(), x.n,
                                                     x.s.address(), x.u.address(), x.n, x.v.address(), x.n,
                                                     scratch, elements, x.info.address(), jacobi->get());
                           }};
  return run_svd(bench, handle->get(), routine, row);
}

// --- cuRAND -----------------------------------------------------------------------------------------------

Result<Module> counting_module(const Context& context, const Device& device) {
  auto text = std::make_shared<ModuleText>();
  text->ptx = find_embedded("kernels/count_inside.ptx");
  text->ptx_name = "count_inside.ptx";
  LaunchRequest request;
  request.module = text;
  request.device = device;
  return load_module(context, request);
}

Result<void> count(const Driver& driver, CUfunction function, const Device& device, CUdeviceptr points,
                   uint64_t n, CUdeviceptr total, CUstream stream) {
  constexpr unsigned threads = 256;
  const auto most = uint64_t{device.sms} * 8, needed = (n + threads - 1) / threads;
  void* arguments[] = {&points, &n, &total};
  const CUresult r = driver.cuLaunchKernel(
      function, static_cast<unsigned>(std::clamp<uint64_t>(needed, 1, std::max<uint64_t>(most, 1))), 1, 1,
      threads, 1, 1, 0, stream, arguments, nullptr);
  if (r != CUDA_SUCCESS) return error_of(driver, r, "Launching count_inside");
  return {};
}

Result<void> run_pi(const Bench& bench, const Device& device, const Curand& curand, LibraryTime& row) {
  int version = 0;
  if (curand.version(&version) == 0) row.library += " " + library_version(version);
  using Generator = Curand::Generator;
  Generator* made = nullptr;
  if (const auto r = succeeded(curand.create(&made, philox), "curandCreateGenerator"); !r) return r;
  const Owned<Generator*> generator(made, [destroy = curand.destroy](Generator* g) { destroy(g); });
  if (const auto r = succeeded(curand.set_stream(made, bench.watch.stream()), "curandSetStream"); !r)
    return r;
  if (const auto r = succeeded(curand.set_seed(made, bench.work.seed), "curandSetPseudoRandomGeneratorSeed");
      !r)
    return r;
  const uint64_t at_once = std::min(bench.work.points, points_at_once);
  Result<Owned<CUdeviceptr>> points = bench.context.allocate(2 * at_once * sizeof(float), "the points");
  if (!points) return points.error();
  Result<Array> total = Array::make(bench.context, sizeof(uint64_t), "the count");
  if (!total) return total.error();
  const Result<Module> module = counting_module(bench.context, device);
  if (!module) return module.error();
  const Driver& driver = bench.context.driver();
  CUfunction function = nullptr;
  if (const CUresult r = driver.cuModuleGetFunction(&function, module->handle.get(), "count_inside");
      r != CUDA_SUCCESS)
    return error_of(driver, r, "Looking for the kernel count_inside");
  const auto call = [&]() -> Result<void> {
    if (const auto r = succeeded(curand.set_offset(made, 0), "curandSetGeneratorOffset"); !r) return r;
    const CUresult cleared =
        driver.cuMemsetD8Async(total->address(), 0, sizeof(uint64_t), bench.watch.stream());
    if (cleared != CUDA_SUCCESS) return error_of(driver, cleared, "Clearing the count");
    for (uint64_t done = 0; done < bench.work.points; done += at_once) {
      const uint64_t n = std::min(at_once, bench.work.points - done);
      if (const auto r = succeeded(curand.uniform(made, points->get(), 2 * n), "curandGenerateUniform"); !r)
        return r;
      if (const auto r =
              count(driver, function, device, points->get(), n, total->address(), bench.watch.stream());
          !r)
        return r;
    }
    return {};
  };
  const Result<void> measured = bench.measure({}, call, {total->copy()}, row);
  if (!measured) return measured;
  std::memcpy(&row.inside, total->host.get(), sizeof row.inside);
  return {};
}

// --- All --------------------------------------------------------------------------------------------------

template <class Table>
LibraryTime row_of(const Result<Table>& library, const char* routine,
                   const std::function<Result<void>(const Table&, LibraryTime&)>& run) {
  LibraryTime row;
  row.library = Table::title;
  row.routine = routine;
  const Result<void> done = library ? run(*library, row) : Result<void>(library.error());
  if (!done) row.missing = done.error().message;
  if (!done) row.time_us.reset();
  return row;
}

// The sizes and arrays that a task needs; whoever made the request.
Result<void> check(const LibraryWork& work) {
  constexpr uint32_t largest = 1 << 15;
  const uint64_t m = work.rows, n = work.columns, k = work.inner;
  bool good = work.task == LibraryTask::pi ? work.points > 0 : m > 0 && m <= largest;
  if (work.task == LibraryTask::matmul)
    good = good && n > 0 && n <= largest && k > 0 && k <= largest && work.a.size() == m * k &&
           work.b.size() == k * n;
  if (work.task == LibraryTask::svd) good = good && work.a.size() == m * m;
  if (!good) return bad_input("The sizes of the work for the libraries do not fit its arrays.");
  return {};
}

}  // namespace

Result<LibraryRun> measure_libraries(const Context& context, const Device& device, const Libraries& libraries,
                                     const LibraryWork& work, const std::stop_token& stop,
                                     const std::function<void()>& passed) {
  if (const Result<void> fine = check(work); !fine) return fine.error();
  Result<Stopwatch> watch = Stopwatch::make(context, flush_bytes_of(device.l2_bytes));
  if (!watch) return watch.error();
  const Bench bench{context, work, stop, passed, *watch};
  LibraryRun run;
  const auto solve = [&](const char* routine, auto function) {
    run.routines.push_back(row_of<Cusolver>(
        libraries.cusolver, routine,
        [&](const Cusolver& table, LibraryTime& row) { return function(bench, table, row); }));
  };
  switch (work.task) {
    case LibraryTask::matmul:
      run.routines.push_back(row_of<Cublas>(
          libraries.cublas, "cublasSgemm",
          [&](const Cublas& table, LibraryTime& row) { return run_sgemm(bench, table, row); }));
      break;
    case LibraryTask::svd:
      solve("cusolverDnSgesvd", run_gesvd);
      // The library is absent for both alike; once is enough.
      if (libraries.cusolver) solve("cusolverDnSgesvdj", run_gesvdj);
      break;
    case LibraryTask::pi:
      run.routines.push_back(row_of<Curand>(
          libraries.curand, "curandGenerateUniform, and counting",
          [&](const Curand& table, LibraryTime& row) { return run_pi(bench, device, table, row); }));
      break;
  }
  // A fault of the device is told by every later call.
  const CUresult r = context.driver().cuStreamSynchronize(watch->stream());
  if (r != CUDA_SUCCESS) return error_of(context.driver(), r, "Running a library on the GPU");
  return run;
}

}  // namespace warplens::cuda
