// The meaning of the names in a condition: registers, a lane's place in block and grid, parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/expression/value.h"
#include "core/gpu/stepping/program/program_table.h"
#include "core/gpu/stepping/stops/lane_bits.h"

namespace warplens::exec {
struct Warp;
}

namespace warplens::stepping {

struct LaneSource {
  enum class Kind : uint8_t { reg, lane, warp, thread, tid, constant } kind = Kind::constant;
  uint32_t reg = 0;           // number in the program's table; for tid, the component
  expression::Value value{};  // for constant
};

class LaneNames {
 public:
  // Parameters have their names in the PTX, and those of the source if the request has it. `names` are
  // further names that the caller gives to parameters or registers.
  LaneNames(const ProgramTable& table, const std::string& source, std::span<const std::byte> parameters,
            Dim3 grid, Dim3 block, Dim3 position, Names names);

  std::optional<LaneSource> find(uint32_t function, std::string_view name) const;
  // Whether the caller gave this name to a register or parameter.
  bool is_given(std::string_view name) const { return m_names.find(name) != m_names.end(); }
  // The list of names for messages: "sum, x, lane, tid.x, …".
  std::string known() const;
  // The meaning of one of the caller's names. For any other name, the name itself.
  std::string_view meaning_of(std::string_view name) const {
    const auto own = m_names.find(name);
    return own == m_names.end() ? name : own->second;
  }

  // None for a register that the lane has not set.
  expression::Value value(const LaneSource& source, const exec::Warp& warp, uint32_t lane,
                          std::span<const uint32_t> set) const;

 private:
  void add_parameters(const std::string& source, std::span<const std::byte> parameters);

  const ProgramTable& m_table;
  Dim3 m_block;
  Names m_names;
  std::map<std::string, expression::Value, std::less<>> m_constants;
  std::vector<std::string> m_parameter_names;
};

LaneBits lane_bits(const RegisterInfo& info, const exec::Warp& warp, uint32_t lane, uint32_t component = 0);
// The value of a register whose rows are in another place.
LaneBits lane_bits_at(const RegisterInfo& info, const std::byte* rows, uint32_t lane, uint32_t component = 0);
// The bits as a number of this type.
expression::Value number_of(ptx::Modifier type, LaneBits bits);

}  // namespace warplens::stepping
