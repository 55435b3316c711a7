// The launches of the built-in kernels that were recorded on a real GPU (tests/data/truth).
#pragma once

#include <memory>

#include "core/kernels/catalogue.h"

namespace warplens::test {

// The description's own sizes, a picture that is the same everywhere, and fewer turns.
inline KernelSetup truth_setup(const KernelDescription& kernel) {
  KernelSetup setup = default_setup(kernel);
  Image image{123, 77, 3, std::vector<uint8_t>(size_t{3} * 123 * 77), "noise", {}};
  uint32_t state = 12345;
  for (uint8_t& byte : image.pixels) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<uint8_t>(state >> 24);
  }
  setup.image = std::make_shared<const Image>(std::move(image));
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.name == "loops") setup.values["loops"] = 1000;
    if (kernel.intentionally_broken) setup.values["n"] = 10240;  // fits the blocks
  }
  return setup;
}

}  // namespace warplens::test
