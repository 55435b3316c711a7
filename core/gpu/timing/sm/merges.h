// Which PTX instructions ptxas makes one machine instruction of.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/program/flow/liveness.h"
#include "core/program/program.h"

namespace warplens::sm {

// Of one function; instructions and registers are numbered in it.
struct Merges {
  std::vector<program::Uses> uses;  // by instruction
  std::vector<int64_t> writer;      // by register: its only writer, or -1
  std::vector<uint32_t> readers;    // by register: how many instructions need it
  // By instruction.
  std::vector<bool> joined;   // is a part of those that need its result
  std::vector<bool> product;  // a sum that has a product or a shift as a part
  std::vector<bool> half;     // the other half of a product, which an instruction before makes as well
  std::vector<bool> both;     // that one
  std::vector<bool> wider;    // a load that one before does as well
  std::map<uint32_t, std::vector<uint32_t>> with;  // of that one: the loads that it does as well
};
Merges merges_of(const program::Program& program, const program::FunctionCode& code);

}  // namespace warplens::sm
