// The assumptions of the time model about hardware that are not in the device file. They are read from
// assets/timing/model.json, where each number has its source. A calibration replaces them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/device/device.h"
#include "core/launch/instruction_mix.h"

namespace warplens {

// low ≤ value ≤ high.
struct Band {
  double low = 0, value = 0, high = 0;
  bool operator==(const Band&) const = default;
};
Band operator+(Band a, Band b);
Band operator*(Band a, double factor);

struct Parameter {
  Band band;
  std::string source;
  bool assumed = false;  // no publication states this value
};

// Results per clock of the units of one SM. Empty if not published for this compute capability.
using UnitRates = std::array<std::optional<double>, issue_units>;

struct TimeParameters {
  Parameter memory_bandwidth_share, memory_latency_cycles, l2_latency_cycles, l1_latency_cycles,
      shared_latency_cycles, dependent_issue_cycles, l2_bytes_per_clock_per_sm, l1_bytes_per_clock_per_sm,
      shared_wavefronts_per_clock, issues_per_scheduler_per_clock, launch_us, pcie_share, copy_start_us,
      inside_start_us, machine_instructions_per_ptx_instruction, requests_in_flight_per_warp,
      block_starts_per_clock, block_starts_per_clock_per_sm, overlap_exponent;
  struct Rates {
    ComputeCapability capability;
    UnitRates results_per_clock;
  };
  std::vector<Rates> rates;
  std::string rates_source;
};

// The name and member of each parameter, for the reader and for calibrations, which vary them.
struct ParameterName {
  const char* name;
  Parameter TimeParameters::*member;
};
const std::vector<ParameterName>& parameter_names();

// Every parameter must be present and have a source. Its values must not be negative, with low ≤ value ≤
// high.
Result<TimeParameters> parse_time_parameters(std::string_view json, std::string_view file);
// The parameters that come with the program.
const TimeParameters& default_time_parameters();

// The rates of a device. If its file has a number of fp32 lanes, that is used.
UnitRates unit_rates(const Device& device, const TimeParameters& parameters);

}  // namespace warplens
