// The addresses of allocations, and which allocations are refused.
#include "core/gpu/exec/state/memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace warplens::exec {
namespace THIS_FILE {

TEST(Memory, AnAllocationThatIsLargerThanTheAddressesIsRefused) {
  Memory memory;
  EXPECT_EQ(memory.allocate(UINT64_MAX - 8, "all"), nullptr);
  EXPECT_EQ(memory.allocate(kernel_heap_base, "as far as the kernels' heap"), nullptr);
  EXPECT_NE(memory.allocate(64, "a little"), nullptr);
}

TEST(Memory, OfTheHostKeepsItsAddress) {
  Memory memory;
  std::vector<std::byte> own(100);
  const auto begin = reinterpret_cast<uintptr_t>(own.data());
  const Allocation* adopted = memory.adopt(begin, own.data(), own.size(), "own");
  ASSERT_NE(adopted, nullptr);
  EXPECT_EQ(adopted->origin(), 0u);
  EXPECT_EQ(memory.find(begin + 99), adopted);
  EXPECT_EQ(memory.find(begin + 100), nullptr);
  EXPECT_EQ(memory.adopt(begin + 50, own.data() + 50, 10, "twice"), nullptr);
  EXPECT_EQ(memory.adopt(begin, own.data(), 0, "nothing"), nullptr);
  memory.free(adopted);
  EXPECT_EQ(memory.find(begin), nullptr);
}

TEST(Memory, OfTheHostIsNotTheKernelsHeap) {
  Memory memory;
  std::vector<std::byte> own(16);
  memory.adopt(reinterpret_cast<uintptr_t>(own.data()), own.data(), own.size(), "own");
  const Memory::KernelHeap before = memory.kernel_heap();
  EXPECT_TRUE(before.pieces.empty());
  ASSERT_NE(memory.allocate_from_kernel(8), 0u);
  memory.restore(before);
  EXPECT_NE(memory.find(reinterpret_cast<uintptr_t>(own.data())), nullptr);
}

TEST(Memory, ATextureThatIsRemovedLeavesItsPlace) {
  Memory memory;
  std::byte texel{};
  const uint64_t first = memory.add_texture({{}, &texel, "first"}),
                 second = memory.add_texture({{}, &texel, "second"});
  memory.remove_texture(first);
  EXPECT_EQ(memory.texture(first), nullptr);
  ASSERT_NE(memory.texture(second), nullptr);
  EXPECT_EQ(memory.add_texture({{}, &texel, "third"}), first);
  memory.remove_texture(12345);
}

}  // namespace THIS_FILE
}  // namespace warplens::exec
