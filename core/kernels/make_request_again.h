// Makes successive requests of one kernel, for example for the frames of a live picture.
#pragma once

#include "core/kernels/catalogue.h"

namespace warplens {

struct Before {
  const LaunchRequest* request = nullptr;
  const KernelSetup* setup = nullptr;
};

// Like make_request. Code and arrays that cannot have changed since the previous request are shared with it,
// so a frame needs no copy of the picture. `before` may be null, or of another kernel.
Result<LaunchRequest> make_request_again(const KernelDescription& kernel, const KernelSetup& setup,
                                         const Device& device, const Before* before);

}  // namespace warplens
