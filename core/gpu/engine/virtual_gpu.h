// The virtual GPU as a backend.
#pragma once

#include <memory>

#include "core/launch/backend.h"

namespace warplens {

// The virtual GPU runs PTX on the CPU. Between runs it only keeps a cache of decoded programs, so that the
// same module is not parsed again.
std::unique_ptr<Backend> make_virtual_gpu();

}  // namespace warplens
