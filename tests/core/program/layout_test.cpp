// The layout of variables: the shared memory of a kernel has the variables that it and the functions it calls
// use.
#include "core/program/layout.h"

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {
namespace THIS_FILE {

// As nvcc -rdc=true writes it: shared arrays of functions are the module's.
const std::string relocatable = R"(
.shared .align 4 .b8 of_first[4000];
.shared .align 16 .b8 of_second[64];
.shared .align 4 .b8 of_helper[100];
.func helper()
{
  .reg .u32 %r<2>;
  mov.u32 %r1, of_helper;
  st.shared.u32 [%r1], 1;
  ret;
}
.visible .entry first()
{
  st.shared.u32 [of_first+4], 1;
  ret;
}
.visible .entry second()
{
  st.shared.u32 [of_second], 1;
  call helper;
  ret;
}
.visible .entry third() { ret; }
)";

uint32_t shared_bytes(const char* entry) {
  const Decoded decoded = decode(module_text(relocatable), entry, *instruction_sets().front().table);
  EXPECT_NE(decoded.program, nullptr) << decoded.errors;
  return decoded.program == nullptr ? 0 : decoded.program->shared_static_bytes;
}

TEST(Layout, AKernelHasTheSharedArraysThatItReaches) {
  EXPECT_EQ(shared_bytes("first"), 4000u);
  EXPECT_EQ(shared_bytes("second"), 176u);  // 64 and 100, up to a multiple of 16
  EXPECT_EQ(shared_bytes("third"), 0u);
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
