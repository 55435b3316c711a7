#include "cuda/stand_in/driver/state/settings.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "core/base/system/variable.h"

namespace warplens::driver {

namespace {

uint64_t number_in(const char* name, uint64_t otherwise) {
  const std::string text = environment_variable(name);
  if (text.empty()) return otherwise;
  return std::strtoull(text.c_str(), nullptr, 10);
}

}  // namespace

Settings settings_from_environment() {
  Settings settings;
  settings.devices = environment_variable("WARPLENS_PROGRAM_DEVICE");
  settings.target = static_cast<uint32_t>(std::min<uint64_t>(number_in("WARPLENS_PROGRAM_TARGET", 0), 999));
  settings.journal = environment_variable("WARPLENS_PROGRAM_JOURNAL");
  settings.modelled_clock = environment_variable("WARPLENS_PROGRAM_CLOCK") != "host";
  settings.counts = environment_variable("WARPLENS_PROGRAM_OBSERVE") != "none";
  const std::string sanitize = environment_variable("WARPLENS_PROGRAM_SANITIZE");
  settings.sanitize = sanitize == "all"      ? Sanitize::all
                      : sanitize == "memory" ? Sanitize::memory
                                             : Sanitize::off;
  if (settings.sanitize != Sanitize::off) settings.searched = sanitize;
  settings.record = environment_variable("WARPLENS_PROGRAM_RECORD");
  settings.launches = environment_variable("WARPLENS_PROGRAM_LAUNCHES");
  settings.record_limit = number_in("WARPLENS_PROGRAM_RECORD_LIMIT", settings.record_limit);
  settings.lines = environment_variable("WARPLENS_PROGRAM_LINES") != "no";
  settings.finds_waits = environment_variable("WARPLENS_PROGRAM_WAITS") != "no";
  settings.stream_order = environment_variable("WARPLENS_PROGRAM_ORDER");
  settings.passes_faults = environment_variable("WARPLENS_PROGRAM_ON_FAULT") == "continue";
  settings.quiet = environment_variable("WARPLENS_PROGRAM_QUIET") == "1";
  settings.errors = environment_variable("WARPLENS_PROGRAM_ERRORS");
  settings.step_budget = number_in("WARPLENS_PROGRAM_STEPS", default_program_steps);
  if (environment_variable("WARPLENS_PROGRAM_STEPS").empty()) settings.patience = default_program_patience;
  if (settings.step_budget == 0) settings.step_budget = UINT64_MAX >> 1;
  settings.workers =
      static_cast<uint32_t>(std::min<uint64_t>(number_in("WARPLENS_PROGRAM_WORKERS", 0), 1024));
  // The library reads a file for this number each time.
  if (settings.workers == 0) settings.workers = std::max(1u, std::thread::hardware_concurrency());
  return settings;
}

}  // namespace warplens::driver
