// Shared by the tests of the virtual GPU: decode PTX for a given instruction set, run it, read memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/isa/isa.h"
#include "core/program/program.h"
#include "core/ptx/parser/parse.h"
#include "tests/paths.h"

namespace warplens::exec::test {

using exec::InstructionSet;
// The instruction sets that this machine can run, narrowest first.
inline std::vector<InstructionSet> instruction_sets() { return exec::instruction_sets(machine_features()); }

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::filesystem::path source_file(const std::string& path) { return test_files::source_dir() / path; }

// A module around the text of its functions.
inline std::string module_text(const std::string& functions) {
  return ".version 7.8\n.target sm_80\n.address_size 64\n" + functions;
}

struct Decoded {
  std::shared_ptr<const program::Program> program;
  std::string errors;
};

inline Decoded decode(const std::string& ptx, std::string_view entry, const OpsTable& table) {
  const ptx::ParseResult parsed = ptx::parse(ptx, "test.ptx");
  if (parsed.module == nullptr) return {nullptr, to_text(parsed.diagnostics)};
  program::DecodeResult decoded = program::decode(parsed.module, entry, table);
  return {std::move(decoded.program), to_text(decoded.diagnostics)};
}

// One launch over buffers that are one after another in memory; parameters: the buffers, then 32-bit words.
class Bench {
 public:
  explicit Bench(std::shared_ptr<const program::Program> program) : m_program(std::move(program)) {
    for (const program::ModuleVariable& v : m_program->variables) {
      Allocation* made = m_memory.allocate_at(v.address, v.variable->bytes, std::string(v.variable->name));
      std::ranges::copy(std::as_bytes(std::span(v.variable->initial)), made->host);
      made->read_only = v.variable->space == ptx::StateSpace::constant;
    }
  }

  Allocation& buffer(const std::vector<std::byte>& bytes) {
    Allocation* made = m_memory.allocate(bytes.size(), "buffer");
    std::memcpy(made->host, bytes.data(), bytes.size());
    parameter(made->begin);
    return *made;
  }
  template <class T>
  void parameter(T value) {
    const size_t at = (m_parameters.size() + sizeof value - 1) / sizeof value * sizeof value;
    m_parameters.resize(at + sizeof value);
    std::memcpy(m_parameters.data() + at, &value, sizeof value);
  }

  GridOutcome run(Dim3 grid, Dim3 block, uint32_t workers = 1, bool learn_shapes = true,
                  Tier tier = tier_from_environment(), bool count_memory = true) {
    GridLaunch launch = launch_of(grid, block);
    launch.learn_shapes = learn_shapes;
    launch.tier = tier;
    launch.count_memory = count_memory;
    launch.workers = workers;
    GridOutcome outcome = run_grid(launch, {}, nullptr);
    // The encoder must accept every op; otherwise it would be chance which ones are compiled.
    if (CompiledProgram* const compiled = compiled_program(*m_program, {count_memory, block}, tier)) {
      EXPECT_EQ(compiled->refused(), 0u);
    }
    return outcome;
  }

  // A launch on one worker.
  GridLaunch launch_of(Dim3 grid, Dim3 block) {
    GridLaunch launch;
    launch.program = m_program.get();
    launch.memory = &m_memory;
    launch.grid = grid;
    launch.block = block;
    launch.shared_bytes = m_program->shared_static_bytes;
    launch.parameters = m_parameters;
    launch.step_budget = 100'000'000;
    launch.end_block = grid.count();
    launch.tier = tier_from_environment();
    return launch;
  }

  Memory& memory() { return m_memory; }

 private:
  std::shared_ptr<const program::Program> m_program;
  Memory m_memory;
  std::vector<std::byte> m_parameters;
};

inline void expect_same_accesses(const GridOutcome& a, const GridOutcome& b) {
  ASSERT_EQ(a.memory_ops.size(), b.memory_ops.size());
  for (size_t i = 0; i < a.memory_ops.size(); ++i) {
    const MemoryOpState &one = a.memory_ops[i], &other = b.memory_ops[i];
    EXPECT_EQ(one.requests, other.requests) << i;
    EXPECT_EQ(one.sectors, other.sectors) << i;
    EXPECT_EQ(one.sectors_ideal, other.sectors_ideal) << i;
    EXPECT_EQ(one.lines, other.lines) << i;
    EXPECT_EQ(one.wavefronts, other.wavefronts) << i;
    EXPECT_EQ(one.conflicts, other.conflicts) << i;
  }
}

}  // namespace warplens::exec::test
