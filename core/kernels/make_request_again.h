// Requests of one kernel that follow each other, as the frames of a live picture do.
#pragma once

#include "core/kernels/catalogue.h"

namespace warplens {

struct Before {
  const LaunchRequest* request = nullptr;
  const KernelSetup* setup = nullptr;
};

// As make_request; code and arrays that cannot have changed since the request before are shared with it, so
// that a frame costs no copy of the picture. `before` may be null, or of another kernel.
Result<LaunchRequest> make_request_again(const KernelDescription& kernel, const KernelSetup& setup,
                                         const Device& device, const Before* before);

}  // namespace warplens
