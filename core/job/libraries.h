// Compares a kernel with libraries that do the same work: cuBLAS, cuSOLVER and cuRAND on the device, Eigen
// or the CPU reference on this machine. All are timed in the same way, and every result is checked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"

namespace warplens {

// The kernel's work in a form that a library can do (KernelDescription::library). Empty if no library can do
// it.
std::optional<LibraryWork> library_work_of(const KernelDescription& kernel, const LaunchRequest& request);

// A square matrix with elements uniform in [-1, 1).
LibraryWork svd_work(uint32_t size, uint64_t seed);

// The rows for a run that reached its end: the kernel itself, the device's library, the CPU. Empty if no
// library does this work.
std::vector<LibraryRow> library_rows(const RunResult& result, const KernelDescription& kernel,
                                     Backend& backend, std::stop_token stop);
// The rows for work that no built-in kernel does.
std::vector<LibraryRow> library_rows(const LibraryWork& work, const Device& device, Backend& backend,
                                     std::stop_token stop);

// The error of an answer, found without another library. It compares c·x with a·(b·x) for a vector x, or
// u·s·vᵀ·x with a·x; the error is a share of the answer's rms. A count of points is compared with its
// expected value, in standard deviations. The error is infinite if the answer is unusable.
double library_error(const LibraryWork& work, const LibraryTime& answer);

// A table for people. The reasons for missing rows are below it.
std::string library_text(std::span<const LibraryRow> rows);

}  // namespace warplens
