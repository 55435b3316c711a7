#include "core/job/files/npy.h"

#include <gtest/gtest.h>

#include <array>

namespace warplens {
namespace THIS_FILE {

std::string text_of(const std::string& head) { return head.substr(10); }

// The bytes that numpy.save writes for these (NumPy 2.1).
TEST(Npy, HeadIsThatOfNumPy) {
  const std::string head = npy_head(DType::f32, std::array<uint64_t, 2>{2, 3});
  EXPECT_EQ(head.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(head.size(), 128u);
  EXPECT_EQ(static_cast<unsigned char>(head[8]), 118);
  EXPECT_EQ(head[9], 0);
  EXPECT_EQ(text_of(head).substr(0, 62), "{'descr': '<f4', 'fortran_order': False, 'shape': (2,3,), }   ");
  EXPECT_EQ(head.back(), '\n');
}

TEST(Npy, NamesTypesAndPads) {
  const auto descr = [](DType dtype) { return text_of(npy_head(dtype, {})).substr(11, 3); };
  EXPECT_EQ(descr(DType::u8), "|u1");
  EXPECT_EQ(descr(DType::i8), "|i1");
  EXPECT_EQ(descr(DType::u16), "<u2");
  EXPECT_EQ(descr(DType::i64), "<i8");
  EXPECT_EQ(descr(DType::f16), "<f2");
  EXPECT_EQ(descr(DType::f64), "<f8");
  for (uint64_t size = 1; size < uint64_t{1} << 60; size *= 7)
    EXPECT_EQ(npy_head(DType::u8, std::array<uint64_t, 3>{size, size, size}).size() % 64, 0u);
}

}  // namespace THIS_FILE
}  // namespace warplens
