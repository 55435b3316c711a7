// The facts about each instruction of a program that the sanitizer needs, computed once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/dtype.h"
#include "core/gpu/exec/state/program.h"
#include "core/program/op/op.h"
#include "core/program/program.h"

namespace warplens::sanitize {

struct Place {
  uint64_t line_key =
      0;  // equal for instructions of one kernel line, or of one PTX line if that is not known
  uint64_t parameters = 0;  // see core/program/provenance.h
  ptx::Modifier type = ptx::Modifier::b32;
  bool strong = false;  // atomic, volatile, relaxed, …
  bool atomic = false;
  bool updates = false;      // strong, and a part of an update that is not one step (update.h)
  bool releases = false;     // has .release or .acq_rel, so it publishes without a fence
  bool device_scope = true;  // otherwise .cta
};

class Places {
 public:
  explicit Places(const program::Program& program);
  const Place& operator[](uint32_t instruction) const { return m_places[instruction]; }
  // See Place::updates; false for the later instructions that Access has one number for.
  bool updates(uint32_t instruction) const {
    return instruction < m_places.size() && m_places[instruction].updates;
  }
  // Whether the value that the instruction reads from register `r`, or its result, has an effect: on an
  // address, memory, a branch, or a later basic block. A use that a selp or a guard may discard does not
  // count.
  bool uses(uint32_t instruction, uint32_t r) const;
  bool uses_result(uint32_t instruction) const;
  // Whether the program has an instruction that publishes. Otherwise strong accesses need no check.
  bool publishes() const { return m_publishes; }
  const program::Program& program() const { return m_program; }

 private:
  Place place_of(uint32_t instruction);

  const program::Program& m_program;
  std::vector<Place> m_places;
  std::vector<std::string> m_files;
  bool m_publishes = false;
  mutable std::map<std::pair<uint32_t, uint32_t>, bool> m_uses;  // of instruction and register
};

// A value of this many bytes as text: "-3", "0.5", "0x1f". PTX uses .u32 for both int and unsigned, so the
// type of the array's elements decides if it is known and has the same width. Otherwise a value that differs
// between both types is given as both: "-3 (unsigned: 4294967293)".
std::string value_text(ptx::Modifier type, std::optional<DType> element, const void* value, uint32_t bytes);
// The value that this store or atomic operation has for a lane. Returns false if it is not known.
bool stored_value(const exec::Op& op, const exec::Warp& warp, uint32_t lane, std::byte (&value)[16]);
// "tile", for the mangled name of a variable in a function. The name itself if it is not mangled.
std::string short_name(std::string_view name);

}  // namespace warplens::sanitize
