// Names of parameters out of a kernel's source, and the element that an address is of.
#include "core/recording/parameter_names.h"

#include <gmock/gmock.h>

#include "core/recording/launch_source.h"

namespace warplens::recording {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(std::vector<std::string> lines) {
  return parameter_names({1, std::move(lines), ""});
}

TEST(ParameterNames, OfSignaturesInCpp) {
  EXPECT_THAT(names({"__global__ void add(const float* a, float *b, int n) {"}), ElementsAre("a", "b", "n"));
  EXPECT_THAT(
      names({"template <class T, int N>", "__global__ void __launch_bounds__(256, N)",
             "    fill(T* __restrict__ out,  // (where to)", "         float (&sizes)[4], T by = T(1, 2))"}),
      ElementsAre("out", "sizes", "by"));
  EXPECT_THAT(names({"__global__ void nested(std::pair<int, int> both, unsigned values[], float*)"}),
              ElementsAre("both", "values", ""));
  EXPECT_THAT(names({"__global__ void none() {"}), IsEmpty());
  EXPECT_THAT(names({"__global__ void cut(int n,"}), IsEmpty());
}

TEST(ParameterNames, OfPythonFunctions) {
  EXPECT_THAT(names({"@cuda.jit('void(float32[:], int32)')", "def scale(src,  # (in)", "          by=2):"}),
              ElementsAre("src", "by"));
  EXPECT_THAT(names({"def typed(src: list[float], n: int):"}), ElementsAre("src", "n"));
  EXPECT_THAT(names({"def starred(*all):"}), IsEmpty());
  EXPECT_THAT(names({"x = 1"}), IsEmpty());
}

TEST(ParameterNames, ElementsThatAPointerPointsTo) {
  const std::string_view add = "_Z3addPKfPdPViiPcPPf";
  ASSERT_TRUE(pointed_type(add, 0));
  EXPECT_EQ(pointed_type(add, 0)->name, "float");
  EXPECT_EQ(pointed_type(add, 1)->bytes, 8u);
  EXPECT_EQ(pointed_type(add, 2)->name, "int");
  EXPECT_FALSE(pointed_type(add, 3)) << "a number";
  EXPECT_EQ(pointed_type(add, 4)->bytes, 1u);
  EXPECT_FALSE(pointed_type(add, 5)) << "pointers";
  EXPECT_FALSE(pointed_type(add, 6)) << "there is none";
  EXPECT_FALSE(pointed_type("add", 0)) << "extern \"C\" has no types";
  EXPECT_FALSE(pointed_type("_Z", 0));
}

TEST(ParameterNames, TheElementOfAnAddress) {
  const std::vector<std::string> two{"src", "dst", "n"};
  const std::vector<uint64_t> values{0x1000, 0x9000, 1000};
  const auto at = [&](uint64_t begin, uint64_t address) {
    return element_text({"_Z5scalePKfPfi", two, values, begin, begin + 4000, address});
  };
  EXPECT_EQ(at(0x1000, 0x1000 + 4000), "src[1000]");
  EXPECT_EQ(at(0x9000, 0x9000 + 4396), "dst[1099]");
  EXPECT_EQ(at(0x5000, 0x5000), "") << "no parameter points there";
  const std::vector<uint64_t> twice{0x1000, 0x1000, 1000};
  EXPECT_EQ(element_text({"_Z5scalePKfPfi", two, twice, 0x1000, 0x1fa0, 0x1fa0}), "")
      << "both could be meant";
  EXPECT_EQ(element_text({"_Z5scalePKfPfi", {}, values, 0x1000, 0x1fa0, 0x1fa0}), "") << "no source";
}

TEST(ParameterNames, TheElementOfNumbasArrays) {
  const std::string_view blur = "_ZN8__main__4blurB2v1B4cw51E5ArrayIfLi2E1C7mutable7alignedEx";
  const std::vector<std::string> names{"img", "n"};
  const std::vector<uint64_t> rows{0, 0, 32, 4, 0x1000, 4, 8, 32, 4, 7};
  EXPECT_EQ(element_text({blur, names, rows, 0x1000, 0x1080, 0x1000 + 84}), "img[2, 5]");
  EXPECT_EQ(element_text({blur, names, rows, 0x1000, 0x1080, 0x1080}), "img[4, 0]") << "past the end";
  const std::vector<uint64_t> columns{0, 0, 32, 4, 0x1000, 4, 8, 4, 16, 7};
  EXPECT_EQ(element_text({blur, names, columns, 0x1000, 0x1080, 0x1080}), "") << "not in order";
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
