// Post-dominators against their definition, in the graphs of random programs and in shapes drawn by hand.
#include "core/program/flow/cfg.h"

#include <gtest/gtest.h>

#include "core/ptx/parser/parse.h"
#include "tests/core/gpu/exec/random_program.h"

namespace warplens::program {
namespace THIS_FILE {

// Whether a path leads from the block to the function's end that does not pass `avoid`.
bool reaches_end(const ControlFlow& flow, uint32_t from, uint32_t avoid) {
  std::vector<bool> seen(flow.blocks.size());
  std::vector<uint32_t> work{from};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    if (b == avoid || seen[b]) continue;
    seen[b] = true;
    if (flow.blocks[b].successors.empty()) return true;
    for (uint32_t s : flow.blocks[b].successors) work.push_back(s);
  }
  return false;
}

// All blocks on every path from here to the end, itself left out.
std::vector<uint32_t> post_dominators(const ControlFlow& flow, uint32_t block) {
  std::vector<uint32_t> result;
  for (uint32_t p = 0; p < flow.blocks.size(); ++p)
    if (p != block && reaches_end(flow, block, no_block) && !reaches_end(flow, block, p)) result.push_back(p);
  return result;
}

void expect_definition(const ControlFlow& flow) {
  for (uint32_t b = 0; b < flow.blocks.size(); ++b) {
    if (!flow.reachable[b]) continue;
    const auto all = post_dominators(flow, b);
    // The nearest one is post-dominated by all the others.
    uint32_t nearest = no_block;
    for (uint32_t p : all)
      if (post_dominators(flow, p).size() == all.size() - 1) nearest = p;
    ASSERT_EQ(flow.blocks[b].post_dominator, nearest) << "block " << b;
  }
}

ControlFlow flow_of(const std::string& text) {
  const ptx::ParseResult parsed = ptx::parse(text, "test.ptx");
  EXPECT_NE(parsed.module, nullptr) << to_text(parsed.diagnostics);
  return parsed.module == nullptr ? ControlFlow{} : control_flow_of(*parsed.module->find_entry("test"));
}

TEST(PostDominators, OfRandomPrograms) {
  for (uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    expect_definition(flow_of(exec::test::ptx_of(exec::test::random_program(seed))));
    if (HasFatalFailure()) return;
  }
}

TEST(PostDominators, OfALoopWithoutEnd) {
  const std::string text =
      ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry test()\n{.reg .pred %p; .reg .b32 %r;\n"
      "mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0; @%p bra FOREVER; bra END;\nFOREVER:\nadd.u32 %r, %r, 1; "
      "bra FOREVER;\n"
      "END:\nret;\n}\n";
  const ControlFlow flow = flow_of(text);
  // The lanes that can end go straight there; the others never come.
  EXPECT_EQ(flow.blocks[0].post_dominator, 1u);
  EXPECT_EQ(flow.blocks[2].post_dominator, no_block);
}

}  // namespace THIS_FILE
}  // namespace warplens::program
