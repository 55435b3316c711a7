#include "app/user_program/execution_target.h"

#include <algorithm>
#include <charconv>

#include "app/user_program/environment.h"
#include "app/user_program/real_gpu.h"
#include "core/device/real_gpus.h"

namespace warplens::program_run {

Result<ExecutionTarget> execution_target(const Device& chosen) {
  if (chosen.is_virtual) {
    Result<std::string> driver = find_driver();
    if (!driver) return driver.error();
    return ExecutionTarget{std::move(*driver), chosen, {}};
  }
  Result<std::string> relay = find_relay();
  if (!relay) return relay.error();
  const Result<std::string> driver = find_nvidia_driver();
  if (!driver) return driver.error();
  int ordinal = 0;  // their ids are cuda:0, cuda:1, …
  const std::string number = chosen.id.substr(std::min(chosen.id.size(), chosen.id.find(':') + 1));
  std::from_chars(number.data(), number.data() + number.size(), ordinal);
  return ExecutionTarget{std::move(*relay), twin_of(chosen), variables_for_gpu(ordinal, *driver)};
}

}  // namespace warplens::program_run
