// Which op of a block is the last one to read a register.
#include "core/gpu/exec/jit/lower/reads.h"

#include "core/gpu/exec/state/routines.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::jit::test {

namespace THIS_FILE {

using exec::test::decode;
using exec::test::module_text;

// The op that was decoded from a row of this PTX instruction.
uint32_t op_of(const program::Program& program, ptx::Opcode opcode) {
  for (uint32_t at = 0; at < program.ops.size(); ++at)
    if (at < program.selectors.size() && program.selectors[at] && program.selectors[at]->opcode == opcode)
      return at;
  ADD_FAILURE();
  return 0;
}

std::string text_with(const std::string& middle) {
  return module_text(
      ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %d<4>; .reg .b32 %r<8>;\n.shared .align 4 .b8 "
      "tile[512];\n"
      "ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; mov.u32 %r2, tile;\n"
      "mul.lo.u32 %r3, %r1, %r1; xor.b32 %r4, %r3, %r1; and.b32 %r5, %r3, %r4;\n" +
      middle +
      "bar.sync 0;\nst.shared.u32 [%r2], %r5; or.b32 %r6, %r5, 1; st.shared.u32 [%r2], %r6; ret;\n}\n");
}

TEST(BlockReads, FindTheLastReader) {
  for (const auto& set : exec::test::instruction_sets()) {
    const auto decoded = decode(text_with(""), "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    const program::Program& program = *decoded.program;
    const BlockReads reads(program, program.functions[0].entry_op);
    const uint32_t product = op_of(program, ptx::Opcode::mul), bits = op_of(program, ptx::Opcode::and_);
    EXPECT_EQ(reads.last(program.ops[product].d, 128), bits);
    EXPECT_EQ(reads.last(program.ops[bits].d, 128), 0u) << "the block ends with the barrier";
    const uint32_t behind = op_of(program, ptx::Opcode::or_);
    EXPECT_GT(*BlockReads(program, behind - 2).last(program.ops[bits].d, 128), bits);
    // A register of 64 bits would begin at its second half.
    EXPECT_GE(*reads.last(program.ops[product].d + 64, 256), bits);
  }
}

TEST(BlockReads, KnowNothingBehindWhatTheyDoNotKnow) {
  for (const auto& set : exec::test::instruction_sets()) {
    const auto decoded = decode(text_with("atom.shared.add.u32 %r7, [%r2], %r5;\n"), "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    const program::Program& program = *decoded.program;
    const BlockReads reads(program, program.functions[0].entry_op);
    EXPECT_EQ(reads.last(program.ops[op_of(program, ptx::Opcode::mul)].d, 128), std::nullopt);
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test
