// The virtual GPU as a backend.
#pragma once

#include <memory>

#include "core/launch/backend.h"

namespace warplens {

// The virtual GPU: PTX on the CPU. Has no state between runs but a cache of decoded programs, so that running
// the same module again skips parsing.
std::unique_ptr<Backend> make_virtual_gpu();

}  // namespace warplens
