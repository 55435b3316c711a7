#include "core/compile/cuda_source/source_signature.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(SourceSignature, ReadsKernelsAsPeopleWriteThem) {
  const auto kernels = kernels_of_source(R"(
// __global__ void not_this(int a) {}
const char* text = "__global__ void nor_this(int a) {}";
__global__ void declared_only(int n);
template <int N> __device__ int helper(int (&x)[N]) { return x[0]; }
extern "C" __global__ void __launch_bounds__(256, 2)
blur(const unsigned char* __restrict__ in, float4 *out, int width, unsigned int flags = 1u, const double scale /* ! */)
{ if (width) { out[0].x = in[0]; } }
__global__ static void second() { }
)");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "blur");
  EXPECT_EQ(kernels[0].line, 6u);
  const auto& p = kernels[0].parameters;
  ASSERT_EQ(p.size(), 5u);
  EXPECT_EQ(p[0].name, "in");
  EXPECT_TRUE(p[0].pointer && p[0].to_const);
  EXPECT_EQ(p[0].dtype, DType::u8);
  EXPECT_EQ(p[1].name, "out");
  EXPECT_TRUE(p[1].pointer && !p[1].to_const);
  EXPECT_EQ(p[1].dtype, DType::f32);
  EXPECT_EQ(p[1].components, 4u);
  EXPECT_EQ(p[2].dtype, DType::i32);
  EXPECT_FALSE(p[2].pointer);
  EXPECT_EQ(p[3].name, "flags");
  EXPECT_EQ(p[3].dtype, DType::u32);
  EXPECT_EQ(p[4].name, "scale");
  EXPECT_FALSE(p[4].to_const) << "a number that is const is no pointer to const";
  EXPECT_EQ(kernels[1].name, "second");
  EXPECT_TRUE(kernels[1].parameters.empty());
}

TEST(SourceSignature, KnowsTheTypesThatBuffersHave) {
  EXPECT_EQ(value_type_of("unsigned long long").dtype, DType::u64);
  EXPECT_EQ(value_type_of("std::int16_t").dtype, DType::i16);
  EXPECT_EQ(value_type_of("const __half").dtype, DType::f16);
  EXPECT_EQ(value_type_of("uchar3").dtype, DType::u8);
  EXPECT_EQ(value_type_of("uchar3").components, 3u);
  EXPECT_EQ(value_type_of("Particle").dtype, std::nullopt);
  EXPECT_EQ(value_type_of("void").dtype, std::nullopt);
}

TEST(SourceSignature, NamesEntriesAsTheSourceDoes) {
  EXPECT_EQ(plain_entry_name("add"), "add");
  EXPECT_EQ(plain_entry_name("_Z3addPKfS0_Pfi"), "add");
  EXPECT_EQ(plain_entry_name("_ZN3our5scaleEPf"), "scale");
  EXPECT_EQ(plain_entry_name("_Z999999999999999999add"), "_Z999999999999999999add");
  EXPECT_EQ(plain_entry_name("_Z"), "_Z");
}

TEST(SourceSignature, FindsHowAThreadFindsItsElement) {
  const std::string source =
      "__global__ void f(float* a) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x; // threadIdx.y\n"
      "  a[threadIdx.x] = i;\n  float t = a[threadIdx.x];\n}\n";
  const auto kernels = kernels_of_source(source);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(index_lines(source, kernels[0]),
            (std::vector<std::string>{"i = blockIdx.x * blockDim.x + threadIdx.x"}));
}

TEST(SourceSignature, SurvivesTextThatEndsAnywhere) {
  const std::string whole =
      "__global__ void __launch_bounds__(8) f(int a, float (*b)[3]) { \"x\\\"\"; 'c'; /* */ }";
  for (size_t length = 0; length <= whole.size(); ++length) {
    const auto kernels = kernels_of_source(whole.substr(0, length));
    EXPECT_LE(kernels.size(), 1u);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
