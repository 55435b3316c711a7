// How many entries a trace keeps.
#pragma once

#include <cstdint>

namespace warplens {

// As entries, about 16 MB.
constexpr uint64_t default_trace_limit = uint64_t{1} << 20;

}  // namespace warplens
