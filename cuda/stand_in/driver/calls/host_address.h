// What an address of the host is, for messages about calls and kernels that need memory of the device.
#pragma once

#include <optional>
#include <string>

#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

struct HostAddress {
  std::string what;    // "a variable of the host that holds the address of array 1"
  std::string advice;  // a sentence
};
// Empty if the host has nothing at this address.
std::optional<HostAddress> host_address(Gpu& device, uint64_t address);
bool is_mapped_by_host(uint64_t address);

}  // namespace warplens::driver
