// Addresses of shared, local, constant and parameter space have 32 bits (PTX ISA 6.4.1): a sum wraps around,
// and the upper half of a register of 64 bits is ignored. An H200 does the same with each of these accesses.
#include <fmt/format.h>

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {
namespace THIS_FILE {

struct Space {
  const char* name;  // of its variable
  std::vector<const char*> accesses;
};
const std::vector<Space> spaces = {
    {"arr",
     {"ld.shared.u32 %r9, [@];", "ld.shared.u16 %r9, [@];", "st.shared.u32 [@], %r9;",
      "atom.shared.add.u32 %r9, [@], 1;", "red.shared.add.u32 [@], 1;",
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [@];",
      "cp.async.ca.shared.global [@], [%g], 4; cp.async.wait_all;", "mbarrier.init.shared.b64 [@], 5;"}},
    {"loc", {"ld.local.u32 %r9, [@];", "st.local.u32 [@], %r9;"}},
    {"con", {"ld.const.u32 %r9, [@];"}},
    {"prm", {"ld.param.u32 %r9, [@];"}}};

enum class Base { plain, negative, upper_half };

// Each lane accesses its own 16 bytes of the variable, several times, so that code is compiled and shapes are
// learnt.
std::string kernel_with(const Space& space, std::string access, uint32_t bits, Base base) {
  const uint32_t offset = base == Base::negative ? 4096 : 0;
  const std::string operand = fmt::format("%{}+{}", bits == 32 ? "n" : "w", offset);
  access.replace(access.find('@'), 1, operand);
  return fmt::format(R"(.version 7.8
.target sm_80
.address_size 64
.const .align 16 .b32 con[128] = {{100, 101, 102, 103, 104, 105, 106, 107}};
.visible .entry k(.param .u64 out, .param .align 16 .b32 prm[128])
{{
  .reg .b32 %n, %r<16>; .reg .b64 %w, %g, %d<4>; .reg .pred %p;
  .shared .align 16 .b32 arr[128]; .local .align 16 .b32 loc[128];
  ld.param.u64 %g, [out];
  mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 4; mul.wide.u32 %d0, %r0, 16; add.u64 %g, %g, %d0;
  add.u32 %r2, %r0, 500;
  mov.u32 %r3, arr; add.u32 %r3, %r3, %r1; st.shared.u32 [%r3], %r2; st.global.u32 [%g+12], %r2;
  mov.u32 %r4, loc; add.u32 %r4, %r4, %r1; st.local.u32 [%r4], %r2;
  mov.u64 %d1, {0}; cvt.u32.u64 %n, %d1; add.u32 %n, %n, %r1; sub.u32 %n, %n, {1};
  cvt.u64.u32 %w, %n; add.u64 %w, %w, {2};
  mov.u32 %r9, 777; mov.u32 %r10, 0;
again:
  {3}
  add.u32 %r10, %r10, 1; setp.lt.u32 %p, %r10, 6; @%p bra again;
  bar.sync 0;
  st.global.u32 [%g], %r9; ld.shared.u32 %r5, [%r3]; st.global.u32 [%g+4], %r5;
  ld.local.u32 %r5, [%r4]; st.global.u32 [%g+8], %r5;
  ret;
}}
)",
                     space.name, offset, base == Base::upper_half ? "0x500000000" : "0", access);
}

std::vector<std::byte> result_of(const std::string& ptx, const InstructionSet& set, Tier tier) {
  const Decoded decoded = decode(ptx, "k", *set.table);
  EXPECT_NE(decoded.program, nullptr) << decoded.errors << ptx;
  if (decoded.program == nullptr) return {};
  Bench bench(decoded.program);
  const Allocation& out = bench.buffer(std::vector<std::byte>(512));
  bench.parameter(uint64_t{0});  // up to the array's alignment
  for (uint32_t i = 0; i < 128; ++i) bench.parameter(200 + i);
  const GridOutcome outcome = bench.run({2, 1, 1}, {32, 1, 1}, 1, true, tier);
  EXPECT_EQ(outcome.end, GridOutcome::End::finished) << ptx;
  return {out.host, out.host + 512};
}

TEST(AddressWidth, SumsOfSpacesOf32BitsWrapAround) {
  for (const InstructionSet& set : instruction_sets())
    for (const Tier tier : {Tier::off, Tier::always, Tier::executor})
      for (const Space& space : spaces)
        for (const char* access : space.accesses) {
          SCOPED_TRACE(fmt::format("{}: {}", set.name, access));
          const auto expected = result_of(kernel_with(space, access, 32, Base::plain), set, tier);
          EXPECT_EQ(result_of(kernel_with(space, access, 32, Base::negative), set, tier), expected);
          EXPECT_EQ(result_of(kernel_with(space, access, 64, Base::plain), set, tier), expected);
          EXPECT_EQ(result_of(kernel_with(space, access, 64, Base::negative), set, tier), expected);
          EXPECT_EQ(result_of(kernel_with(space, access, 64, Base::upper_half), set, tier), expected);
        }
}

// Global memory has 64 bits: a register of 32 bits is extended with zeros before the offset is added.
TEST(AddressWidth, SumsOfGlobalMemoryDoNot) {
  const std::string ptx = module_text(
      ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %n, %r; mov.u32 %n, -8; "
      "ld.global.u32 %r, [%n+16]; ret;\n}\n");
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(ptx, "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    Bench bench(decoded.program);
    bench.buffer(std::vector<std::byte>(64));
    const GridOutcome outcome = bench.run({1, 1, 1}, {32, 1, 1});
    EXPECT_EQ(outcome.end, GridOutcome::End::fault);
    EXPECT_EQ(outcome.fault.address, 0x1'0000'0008u);
  }
}

// Each block starts with zeros, whichever lanes and pages the one before wrote to.
TEST(LocalMemory, OfTheBlockBeforeIsCleared) {
  const std::string ptx = module_text(R"(
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred %p;
  .local .align 16 .b8 own[70000];
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, own;
  mad.lo.u32 %r3, %r0, 1000, %r2;
  ld.local.u32 %r4, [%r3]; ld.local.u32 %r5, [%r2+1020]; or.b32 %r4, %r4, %r5;
  ld.local.u32 %r5, [%r2+69996]; or.b32 %r4, %r4, %r5;
  red.global.or.b32 [%d0], %r4;
  st.local.u32 [%r3], 1; setp.eq.u32 %p, %r0, 7;
  @%p st.local.u32 [%r2+1020], 2; st.local.u32 [%r2+69996], 4;
  ret;
})");
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(ptx, "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    Bench bench(decoded.program);
    const Allocation& out = bench.buffer(std::vector<std::byte>(4));
    EXPECT_EQ(bench.run({3, 1, 1}, {64, 1, 1}).end, GridOutcome::End::finished);
    uint32_t seen = 0;
    std::memcpy(&seen, out.host, 4);
    EXPECT_EQ(seen, 0u);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
