// The engines of a GPU, which work at the same time: it copies in, computes and copies out (CUDA C++ Best
// Practices Guide, "Asynchronous and Overlapping Transfers with Computation").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/recording/event.h"

namespace warplens::recording {

enum class Engine : uint8_t { in, kernels, out };
constexpr size_t engine_count = 3;

// That of work on the device; empty for copies inside of the device or of the host, and for a memset.
inline std::optional<Engine> engine_of(const Event& event) {
  if (event.kind != Event::Kind::copy) return Engine::kernels;
  if (event.name == "host to device") return Engine::in;
  if (event.name == "device to host") return Engine::out;
  return std::nullopt;
}

}  // namespace warplens::recording
