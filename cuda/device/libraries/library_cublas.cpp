#include "cuda/device/libraries/library_bench.h"

namespace warplens::cuda {

namespace {

constexpr int no_transpose = 0;  // CUBLAS_OP_N

}  // namespace

Result<void> run_sgemm(const LibraryBench& bench, const Cublas& cublas, LibraryTime& row) {
  Result<Owned<Cublas::Handle*>> handle = owned(cublas.create, cublas.destroy, "cublasCreate");
  if (!handle) return handle.error();
  int version = 0;
  if (cublas.version(handle->get(), &version) == 0) row.library += " " + library_version(version);
  if (auto set = succeeded(cublas.set_stream(handle->get(), bench.watch.stream()), "cublasSetStream"); !set)
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
  // cuBLAS stores matrices by columns, so it sees the rows here as columns: cᵀ = bᵀ · aᵀ.
  const auto call = [&] {
    return succeeded(cublas.sgemm(handle->get(), no_transpose, no_transpose, n, m, k, &one, b->address(), n,
                                  a->address(), k, &zero, c->address(), n),
                     "cublasSgemm");
  };
  Result<void> measured = bench.measure({a->copy(), b->copy()}, call, {c->copy()}, row);
  if (!measured) return measured;
  for (uint64_t i = 0; i < results; ++i) row.result.push_back(c->at(i));
  return {};
}

}  // namespace warplens::cuda
