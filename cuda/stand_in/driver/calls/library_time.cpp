// The time of a library's call, by the device's peak. Good ones come near it with large matrices; small ones
// take longer than this says.
#include <algorithm>

#include "core/gpu/timing/parameters.h"
#include "cuda/stand_in/driver/calls/library.h"

namespace warplens::driver {

namespace {

// Dense multiply-adds of 16-bit floats with 32-bit sums, a clock and SM, on tensor cores. NVIDIA's white
// papers: V100 and Turing 8 cores × 64, A100 4 × 256, GA102 and Ada 4 × 128, H100 4 × 512.
struct TensorRate {
  ComputeCapability from;
  double multiply_adds;
};
constexpr TensorRate tensor_rates[] = {{{9, 0}, 2048}, {{8, 6}, 512}, {{8, 0}, 1024}, {{7, 0}, 512}};

std::optional<double> tensor_rate(ComputeCapability capability) {
  if (capability.major > 9) return std::nullopt;  // not looked up
  for (const TensorRate& rate : tensor_rates)
    if (capability >= rate.from) return rate.multiply_adds;
  return std::nullopt;
}

// Multiply-adds a clock and SM.
std::optional<double> rate_of(const Device& device, warplens_unit unit) {
  if (unit == warplens_fp16)
    if (const auto rate = tensor_rate(device.compute_capability)) return rate;
  const IssueUnit issue = unit == warplens_fp64      ? IssueUnit::fp64
                          : unit == warplens_integer ? IssueUnit::multiply
                                                     : IssueUnit::fp32;
  if (issue == IssueUnit::fp32 && device.fp32_lanes_per_sm) return *device.fp32_lanes_per_sm;
  for (const TimeParameters::Rates& row : default_time_parameters().rates)
    if (row.capability == device.compute_capability) return row.results_per_clock[static_cast<size_t>(issue)];
  return std::nullopt;
}

}  // namespace

std::optional<double> library_time(const Device& device, warplens_unit unit, double operations,
                                   uint64_t bytes) {
  const TimeParameters& parameters = default_time_parameters();
  const std::optional<double> rate = rate_of(device, unit);
  if (!rate || !device.boost_clock_mhz || !device.memory_bandwidth_gb_s) return std::nullopt;
  const double operations_per_us = 2 * *rate * device.sms * *device.boost_clock_mhz;
  const double bytes_per_us =
      *device.memory_bandwidth_gb_s * 1e3 * parameters.memory_bandwidth_share.band.value;
  return parameters.launch_us.band.value +
         std::max(operations / operations_per_us, double(bytes) / bytes_per_us);
}

}  // namespace warplens::driver
