#include "core/gpu/exec/jit/target/x64/constants.h"

namespace warplens::exec::jit::x64 {

namespace {
constexpr uint32_t lanes = 32, constant_bytes = 64;
}

x86::Mem Constants::steps(int64_t step, uint32_t lane_bytes, uint32_t vector) {
  const auto [place, is_new] = m_steps.try_emplace({step, lane_bytes});
  if (is_new) place->second = m_code->newLabel();
  return x86::ptr(place->second, static_cast<int32_t>(vector * constant_bytes));
}

void Constants::write() {
  for (const auto& [what, label] : m_steps) {
    const auto [step, lane_bytes] = what;
    m_code->align(asmjit::AlignMode::kData, constant_bytes);
    m_code->bind(label);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      const int64_t value = lane * step;
      if (lane_bytes == 8) {
        m_code->embedUInt64(static_cast<uint64_t>(value));
      } else {
        m_code->embedUInt32(static_cast<uint32_t>(value));
      }
    }
  }
}

}  // namespace warplens::exec::jit::x64
