// The facts about each instruction of a program that the sanitizer needs, computed once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/dtype.h"
#include "core/gpu/exec/state/program.h"
#include "core/program/flow/undefined.h"
#include "core/program/op/op.h"
#include "core/program/program.h"

namespace warplens::sanitize {

// What becomes of a loaded value. A value that is only copied may be undefined: structures are copied with
// their padding. Compilers also load values that nothing uses.
enum class Fate : uint8_t { unused, copied, used };

// A register that a load writes or a store reads, and the bytes of the access that it holds.
struct Part {
  uint32_t reg = 0;
  uint32_t first = 0, bytes = 0;
  uint32_t source = no_register;  // of a store: the register of the load that the value is surely from
  static constexpr uint32_t no_register = UINT32_MAX;

  uint64_t mask() const { return ((uint64_t{1} << bytes) - 1) << first; }
};

struct Place {
  uint64_t line_key =
      0;  // equal for instructions of one kernel line, or of one PTX line if that is not known
  uint64_t parameters = 0;  // see core/program/provenance.h
  ptx::Modifier type = ptx::Modifier::b32;
  bool strong = false;  // atomic, volatile, relaxed, …
  bool atomic = false;
  bool guesses = false;      // a load whose value a compare-and-swap at its address tests (update.h)
  bool updates = false;      // strong, and a part of an update that is not one step (update.h)
  bool computes = false;     // volatile: a load whose value is computed with and then stored, or such a store
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
  // What becomes of register `r`, if it has no value, where the instruction reads it.
  program::UndefinedUse use_of_undefined(uint32_t instruction, uint32_t r) const;
  // Whether the instruction's result has an effect: on an address, memory, a branch, or a later basic block.
  // A use that a selp or a guard may discard does not count.
  bool uses_result(uint32_t instruction) const;
  // The registers of a load, or of the data of a store. Empty for other instructions, and where it is not
  // known.
  const std::vector<Part>& parts(uint32_t instruction) const;
  // Of the bytes `missing` of the value that a load writes to a register.
  Fate fate(uint32_t instruction, uint32_t r, uint64_t missing) const;
  // Whether two volatile accesses exchange data, as in s[t] += s[t + 16], and not a flag that is waited for.
  bool exchange_data(uint32_t a, uint32_t b) const {
    return a < m_places.size() && b < m_places.size() && m_places[a].computes && m_places[b].computes;
  }
  // Whether strong accesses to this memory may order others. Otherwise they need no check.
  bool orders(bool shared) const { return m_publishes || (!shared && m_signals && m_polls); }
  const program::Program& program() const { return m_program; }

 private:
  Place place_of(uint32_t instruction);
  void find_exchanges();

  const program::Program& m_program;
  std::vector<Place> m_places;
  std::vector<std::string> m_files;
  bool m_publishes = false;                 // an instruction publishes what was written before it
  bool m_signals = false, m_polls = false;  // strong writes and reads of memory that other blocks see
  mutable std::map<uint32_t, bool> m_uses;  // of instruction
  mutable std::map<uint32_t, std::vector<Part>> m_parts;  // of instruction
  mutable std::map<std::tuple<uint32_t, uint32_t, uint64_t>, Fate> m_fates;
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
