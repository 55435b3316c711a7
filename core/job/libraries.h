// A kernel beside the libraries that do the same work: cuBLAS, cuSOLVER and cuRAND on the device, Eigen or
// the CPU reference on this machine. All are timed alike, and every answer is checked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"

namespace warplens {

// What a library could do of what the kernel did (KernelDescription::library); empty where there is none.
std::optional<LibraryWork> library_work_of(const KernelDescription& kernel, const LaunchRequest& request);

// A square matrix with elements uniform in [-1, 1).
LibraryWork svd_work(uint32_t size, uint64_t seed);

// The rows of a run that went to its end: the kernel itself, the device's library, the CPU. Empty where no
// library does its work.
std::vector<LibraryRow> library_rows(const RunResult& result, const KernelDescription& kernel,
                                     Backend& backend, std::stop_token stop);
// Rows of work that no kernel of ours does.
std::vector<LibraryRow> library_rows(const LibraryWork& work, const Device& device, Backend& backend,
                                     std::stop_token stop);

// How far an answer is off, found without another library: c·x is held against a·(b·x) for a vector x, and
// u·s·vᵀ·x against a·x, as a share of the answer's rms; a count of points against its expectation, in
// standard deviations. Infinite where it is no answer at all.
double library_error(const LibraryWork& work, const LibraryTime& answer);

// A table for people, and below it the reasons of the rows that are missing.
std::string library_text(std::span<const LibraryRow> rows);

}  // namespace warplens
