// Shared by the tests of stepping: a plain run of one block, to compare a stepped one with.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>

#include "core/gpu/machine/incident.h"
#include "core/gpu/machine/machine.h"
#include "core/gpu/machine/tally.h"
#include "core/gpu/stepping/block_stepper.h"
#include "core/gpu/stepping/program/memory_history.h"
#include "core/job/files/launch_file.h"
#include "core/kernels/catalogue.h"
#include "core/launch/steps.h"
#include "tests/core/gpu/engine/support.h"

namespace warplens::test {

struct PlainBlock {
  std::vector<Bytes> buffers;  // all buffers of the request
  Counters counters;
  std::string fault, console;
};

// The first launch's block as an ordinary run of only this block leaves it.
inline PlainBlock plain_block(const LaunchRequest& request, Dim3 block) {
  PlainBlock plain;
  const Result<Programs> programs = load_programs(request);
  EXPECT_TRUE(programs) << (programs ? "" : programs.error().message);
  if (!programs) return plain;
  Result<Machine> machine = Machine::create(request, *programs);
  if (!machine) return plain;
  for (uint32_t b = 0; b < request.buffers.size(); ++b) {
    EXPECT_TRUE(machine->allocate(b));
    EXPECT_TRUE(machine->copy_in(b));
  }
  const LaunchStep& step = *first_launch(request);
  const program::Program& program = *programs->by_entry.find(step.entry)->second;
  Result<exec::GridLaunch> launch = machine->prepare(step, program, 1);
  EXPECT_TRUE(launch) << (launch ? "" : launch.error().message);
  if (!launch) return plain;
  launch->record_blocks = false;
  launch->first_block = linear_index(block, step.grid);
  launch->end_block = launch->first_block + 1;
  const exec::GridOutcome outcome = exec::run_grid(*launch, {}, nullptr);
  for (uint32_t b = 0; b < request.buffers.size(); ++b) plain.buffers.push_back(*machine->copy_out(b));
  InstructionMix mix;
  std::vector<LineCounters> lines;
  tally(outcome, program, launch->count_memory, plain.counters, mix, lines);
  if (outcome.end == exec::GridOutcome::End::fault)
    plain.fault = describe(outcome.fault, program, machine->memory(), block, step.block).message;
  plain.console = outcome.console.text;
  return plain;
}

inline stepping::BlockStepper stepper(const LaunchRequest& request, Dim3 block = {0, 0, 0},
                                      const stepping::Options& options = {}) {
  Result<stepping::BlockStepper> opened =
      stepping::BlockStepper::open(std::make_shared<LaunchRequest>(request), block, options);
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
  return std::move(opened).value();
}

inline std::vector<Bytes> buffers_of(const stepping::BlockStepper& stepper) {
  std::vector<Bytes> buffers(stepper.request().buffers.size());
  for (const stepping::DeviceMemory& memory : stepper.device_memory()) {
    if (memory.buffer >= 0)
      buffers[static_cast<size_t>(memory.buffer)] =
          *stepper.read(Space::global, memory.address, memory.bytes);
  }
  return buffers;
}

// Steps the block to its end, and compares the result with that of an ordinary run.
inline void expect_same_end(const LaunchRequest& request, Dim3 block, const std::string& what) {
  SCOPED_TRACE(what);
  const PlainBlock plain = plain_block(request, block);
  stepping::BlockStepper stepped = stepper(request, block);
  const stepping::Stop stop = stepped.run({});
  if (plain.fault.empty()) {
    EXPECT_EQ(stop.why, stepping::Why::finished) << stop.message;
  } else {
    EXPECT_EQ(stop.why, stepping::Why::fault);
    EXPECT_EQ(stop.message, plain.fault);
  }
  EXPECT_EQ(buffers_of(stepped), plain.buffers);
  EXPECT_EQ(stepped.counters(), plain.counters);
  EXPECT_EQ(stepped.console(), plain.console);
}

// All that the block can see, and small buffers once more, separately: the stepper's own hash would miss a
// store that was not reported.
inline uint64_t state_of(const stepping::BlockStepper& stepped) {
  stepping::Hash hash;
  hash.add(stepped.hash());
  uint64_t bytes = 0;
  for (const BufferSpec& buffer : stepped.request().buffers) bytes += buffer.bytes;
  if (bytes > 16384) return hash.value;
  for (const Bytes& buffer : buffers_of(stepped)) hash.add(buffer.data(), buffer.size());
  return hash.value;
}

// Compares `jumps` random positions with the states of stepping forward.
inline void expect_same_anywhere(stepping::BlockStepper& stepped, uint32_t jumps,
                                 uint64_t longest = 200'000) {
  std::vector<uint64_t> hashes{state_of(stepped)};
  while (stepped.end() == stepping::End::none && hashes.size() <= longest) {
    stepped.run({.kind = stepping::Goal::Kind::instructions});
    hashes.push_back(state_of(stepped));
  }
  std::mt19937_64 random(20);
  for (uint32_t i = 0; i < jumps; ++i) {
    const uint64_t here = stepped.position();
    uint64_t position = random() % hashes.size();
    if (i % 4 == 0) position = here == 0 ? 0 : here - 1;
    if (i % 4 == 1) position = std::min<uint64_t>(here + 1, hashes.size() - 1);
    if (i % 4 == 0) {
      stepped.back();
    } else {
      stepped.jump(position);
    }
    ASSERT_EQ(stepped.position(), position);
    ASSERT_EQ(state_of(stepped), hashes[position]) << "position " << position << " of " << hashes.size();
  }
}

// Random jumps back and forth, then to the end, whose state must be that of an ordinary run.
inline void expect_same_end_after_jumps(const LaunchRequest& request, Dim3 block, uint32_t jumps,
                                        const stepping::Options& options) {
  const PlainBlock plain = plain_block(request, block);
  stepping::BlockStepper stepped = stepper(request, block, options);
  stepped.jump(UINT64_MAX);
  std::mt19937_64 random(4);
  std::map<uint64_t, uint64_t> seen;  // states by position
  // Half of the jumps go to positions that were seen before.
  for (uint32_t i = 0; i < jumps; ++i) {
    const uint64_t position = random() % (stepped.recorded() + 1);
    const auto known = seen.lower_bound(position);
    const uint64_t to = i % 2 == 1 && known != seen.end() ? known->first : position;
    stepped.jump(to);
    ASSERT_EQ(stepped.position(), to);
    const auto [before, is_new] = seen.try_emplace(to, stepped.hash());
    ASSERT_EQ(before->second, stepped.hash()) << "position " << to;
  }
  stepped.jump(UINT64_MAX);
  EXPECT_EQ(buffers_of(stepped), plain.buffers);
  EXPECT_EQ(stepped.counters(), plain.counters);
  EXPECT_EQ(stepped.console(), plain.console);
  EXPECT_LE(stepped.checkpoint_bytes(), options.max_checkpoint_bytes);
}

}  // namespace warplens::test
