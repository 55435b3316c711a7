// Assigns the slots of a warp's register frame: predicates first, four bytes each, then lanes of 16, 32 or 64
// bits.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "core/program/program.h"

namespace warplens::program {

class Frame {
 public:
  explicit Frame(uint32_t predicates) : m_next((predicates * 4 + 63) / 64 * 64 + 64) {}

  uint32_t predicate() { return 4 * m_used_predicates++; }
  uint32_t lanes(uint32_t bits) {
    const uint32_t slot = m_next;
    m_next += exec_bytes(bits);
    return slot;
  }
  uint32_t constant(Program& program, uint64_t bits, uint32_t register_bits) {
    const auto [place, is_new] = m_constants.try_emplace({bits, register_bits}, 0);
    if (is_new) {
      place->second = lanes(register_bits);
      program.constants.push_back({place->second, bits, static_cast<uint8_t>(register_bits)});
    }
    return place->second;
  }
  uint32_t parameter(Program& program, uint32_t offset, ptx::Modifier type, uint32_t register_bits) {
    const auto [place, is_new] = m_parameters.try_emplace({offset, type, register_bits}, 0);
    if (is_new) {
      place->second = lanes(register_bits);
      program.parameters.push_back({place->second, offset, type, static_cast<uint8_t>(register_bits)});
    }
    return place->second;
  }
  uint32_t special(Program& program, ptx::SpecialRegister which, uint8_t component, bool of_block) {
    const auto [place, is_new] = m_specials.try_emplace({which, component}, 0);
    if (is_new) {
      place->second = lanes(ptx::shape_of(which).bits);
      (of_block ? program.block_specials : program.launch_specials)
          .push_back({place->second, which, component});
    }
    return place->second;
  }
  uint32_t bytes() const { return (m_next + 63) / 64 * 64; }

  static uint32_t exec_bytes(uint32_t bits) { return bits <= 16 ? 64 : bits * 4; }

 private:
  uint32_t m_next;
  uint32_t m_used_predicates = 0;
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> m_constants;
  std::map<std::tuple<uint32_t, ptx::Modifier, uint32_t>, uint32_t> m_parameters;
  std::map<std::pair<ptx::SpecialRegister, uint8_t>, uint32_t> m_specials;
};

}  // namespace warplens::program
