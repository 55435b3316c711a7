// What a PTX text says about its variables: names, types, and where their values are. Plain data, read from
// the text's debug sections by read_debug_info.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::debug {

constexpr uint32_t no_file = 0;
constexpr uint32_t void_type = 0;  // index in DebugInfo::types

struct Member {
  std::string name;  // of a base class: the name of its type
  uint32_t type = void_type;
  uint64_t offset = 0;
  uint32_t bits = 0, first_bit = 0;  // of a bit field, counted from the lowest bit at `offset`; else 0
  bool is_base = false;
};

struct Enumerator {
  std::string name;
  int64_t value = 0;
};

struct Type {
  enum class Kind : uint8_t {
    none,  // void, or a kind of type that is not supported
    boolean,
    integer,
    unsigned_integer,
    character,
    unsigned_character,
    floating,
    pointer,
    reference,
    array,
    structure,
    enumeration,
    other_name,  // typedef, const, volatile: the same as `element`
  } kind = Kind::none;
  std::string name;
  uint64_t bytes = 0;
  uint32_t element = void_type;   // of pointer, reference, array and other_name
  std::vector<uint64_t> extents;  // of an array, outermost first; 0 if the text does not say it
  std::vector<Member> members;
  std::vector<Enumerator> enumerators;
};

// Where a value is.
struct Place {
  enum class Kind : uint8_t {
    none,      // nowhere
    reg,       // in the register `name`
    memory,    // at the variable or parameter `name` of the PTX, plus `offset` bytes
    constant,  // nowhere, since it is always `value`
    pointed,   // at the address in the register `name`, plus `offset` bytes
    unknown    // in a way that is not supported
  } kind = Kind::none;
  std::string name = {};
  int64_t offset = 0;
  uint64_t value = 0;
  bool operator==(const Place&) const = default;
};

// The place from one label of the function to another.
struct PlaceRange {
  std::string begin, end;
  Place place;
};

struct Variable {
  std::string name;
  uint32_t type = void_type;
  uint32_t file = no_file, line = 0;  // of its declaration; the number of a .file
  bool parameter = false;
  // Either one place for the whole scope or a list of ranges. With neither, the compiler kept no place.
  Place place;
  std::vector<PlaceRange> ranges;
};

struct LabelRange {
  std::string begin, end;
};

// A block between braces, or the body of an inlined function.
struct Scope {
  std::vector<LabelRange> code;
  std::string inlined;     // the name of the inlined function; empty for a block
  uint32_t call_line = 0;  // where it was called, if it is inlined
  std::vector<Variable> variables;
  std::vector<Scope> scopes;
};

struct Function {
  std::string linkage_name;  // as in the PTX
  std::string name;          // as in the source
  uint32_t line = 0;
  uint32_t unit = 0;  // index in DebugInfo::units
  Scope scope;        // parameters and blocks
};

// What one compiler run made.
struct Unit {
  std::string producer, name;
};

struct DebugInfo {
  std::vector<Type> types;  // [0] is void
  std::vector<Unit> units;
  std::vector<Function> functions;
  std::vector<Variable> variables;  // of the module: global, constant and shared
  // Why the places are wrong, as a sentence. Empty if there is no reason to think so.
  std::string distrust;

  const Function* find(std::string_view linkage_name) const;
};

// The type without typedef, const and volatile.
const Type& plain_type(const DebugInfo& info, uint32_t type);
// "const float*", "int[4][8]", "P".
std::string type_name(const DebugInfo& info, uint32_t type);
// The bytes of a value; an array has those of all its elements. 0 if they are not known.
uint64_t type_bytes(const DebugInfo& info, uint32_t type);

}  // namespace warplens::debug
