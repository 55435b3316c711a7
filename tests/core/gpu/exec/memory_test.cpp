// Where allocations lie, and which are refused.
#include "core/gpu/exec/state/memory.h"

#include <gtest/gtest.h>

namespace warplens::exec {
namespace {

TEST(Memory, AnAllocationThatIsLargerThanTheAddressesIsRefused) {
  Memory memory;
  EXPECT_EQ(memory.allocate(UINT64_MAX - 8, "all"), nullptr);
  EXPECT_EQ(memory.allocate(kernel_heap_base, "as far as the kernels' heap"), nullptr);
  EXPECT_NE(memory.allocate(64, "a little"), nullptr);
}

}  // namespace
}  // namespace warplens::exec
