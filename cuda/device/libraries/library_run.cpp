#include "cuda/device/libraries/library_run.h"

#include "cuda/device/driver/error.h"
#include "cuda/device/libraries/library_bench.h"
#include "cuda/device/run/measuring.h"

namespace warplens::cuda {

namespace {

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

// Checks the sizes and arrays that a task needs, whatever the origin of the request.
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
  const LibraryBench bench{context, work, stop, passed, *watch};
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
      // If the library is absent, that is said only once for both routines.
      if (libraries.cusolver) solve("cusolverDnSgesvdj", run_gesvdj);
      break;
    case LibraryTask::pi:
      run.routines.push_back(row_of<Curand>(
          libraries.curand, "curandGenerateUniform, and counting",
          [&](const Curand& table, LibraryTime& row) { return run_pi(bench, device, table, row); }));
      break;
  }
  // Every later call reports a fault of the device.
  const CUresult r = context.driver().cuStreamSynchronize(watch->stream());
  if (r != CUDA_SUCCESS) return error_of(context.driver(), r, "Running a library on the GPU");
  return run;
}

}  // namespace warplens::cuda
