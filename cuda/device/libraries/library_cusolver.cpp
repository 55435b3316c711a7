#include "cuda/device/libraries/library_bench.h"

namespace warplens::cuda {

namespace {

constexpr int with_vectors = 1;   // CUSOLVER_EIG_MODE_VECTOR
constexpr signed char all = 'A';  // all columns of u, all rows of vᵀ

// The arrays of an SVD, and the status of the routines, which is 0 if they converged.
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

// Singular values, u and vᵀ row by row. The routines store matrices by columns, so they see aᵀ = v·s·uᵀ:
// each of their left vectors is a column there and a row of vᵀ here. With `right_transposed`, they give the
// transpose of the right vectors, as gesvd does.
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

Result<Owned<Cusolver::Handle*>> open_solver(const LibraryBench& bench, const Cusolver& cusolver,
                                             LibraryTime& row) {
  int version = 0;
  if (cusolver.version(&version) == 0) row.library += " " + library_version(version);
  Result<Owned<Cusolver::Handle*>> handle = owned(cusolver.create, cusolver.destroy, "cusolverDnCreate");
  if (!handle) return handle.error();
  const auto set = succeeded(cusolver.set_stream(handle->get(), bench.watch.stream()), "cusolverDnSetStream");
  if (!set) return set.error();
  return handle;
}

// The differences between the two routines.
struct SvdRoutine {
  const char* name;
  bool right_transposed;
  std::function<int(Cusolver::Handle* handle, const SvdArrays& arrays, int* elements)> scratch_size;
  std::function<int(Cusolver::Handle* handle, const SvdArrays& arrays, CUdeviceptr scratch, int elements)>
      solve;
};

Result<void> run_svd(const LibraryBench& bench, Cusolver::Handle* handle, const SvdRoutine& routine,
                     LibraryTime& row) {
  Result<SvdArrays> arrays = SvdArrays::make(bench.context, bench.work.rows);
  if (!arrays) return arrays.error();
  int elements = 0;
  const std::string size_name = std::string(routine.name) + "_bufferSize";
  if (auto r = succeeded(routine.scratch_size(handle, *arrays, &elements), size_name.c_str()); !r) return r;
  Result<Owned<CUdeviceptr>> scratch =
      bench.context.allocate(static_cast<uint64_t>(elements) * sizeof(float), "scratch memory");
  if (!scratch) return scratch.error();
  arrays->a.set(bench.work.a);
  const auto call = [&] {
    return succeeded(routine.solve(handle, *arrays, scratch->get(), elements), routine.name);
  };
  Result<void> measured =
      bench.measure({arrays->a.copy()}, call,
                    {arrays->s.copy(), arrays->u.copy(), arrays->v.copy(), arrays->info.copy()}, row);
  if (!measured) return measured;
  return take_svd(*arrays, routine.right_transposed, routine.name, row);
}

}  // namespace

Result<void> run_gesvd(const LibraryBench& bench, const Cusolver& cusolver, LibraryTime& row) {
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

Result<void> run_gesvdj(const LibraryBench& bench, const Cusolver& cusolver, LibraryTime& row) {
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

}  // namespace warplens::cuda
