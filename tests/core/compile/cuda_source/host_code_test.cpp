#include "core/compile/cuda_source/host_code.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace warplens::test {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;

constexpr const char* program =
    "#include <cstdio>\n"
    "#include <cooperative_groups.h>\n"
    "#include \"mine.h\"\n"
    "using namespace std;\n"
    "#define CHECK(call) do { if (call) { printf(\"{\"); } } \\\n  while (0)\n"
    "struct Point { float x; float length() const { return x; } };\n"
    "__device__ float twice(float x) { return 2 * x; }\n"
    "constexpr int half_of(int n) { return n / 2; }\n"
    "extern \"C\" {\n"
    "__global__ void scale(float* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }\n"
    "}\n"
    "namespace helpers {\n"
    "void print(const std::vector<float>& values) { for (float v : values) { std::cout << v << '}'; } }\n"
    "}\n"
    "template <class T> __global__ void fill(T* x, T v) { x[threadIdx.x] = v; }\n"
    "int table[] = {1, 2};\n"
    "int main(int argc, char** argv)  // int main() { is where it starts\n"
    "{\n  scale<<<1, 32>>>(nullptr);\n  return 0;\n}\n";

TEST(HostCode, FindsMain) {
  EXPECT_EQ(main_line(program), 18u);
  EXPECT_EQ(main_line("// int main() {}\n__global__ void main_part(float* x) {}\n"), std::nullopt);
  EXPECT_EQ(main_line("void domain() {}\n"), std::nullopt);
  EXPECT_EQ(main_line("int main();\n"), std::nullopt);
  EXPECT_EQ(main_line("auto main() -> int { return 0; }"), 1u);
}

TEST(HostCode, LeavesWhatKernelsNeed) {
  const std::string text = without_host_code(program);
  ASSERT_EQ(text.size(), std::string(program).size());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 22);
  for (const char* kept :
       {"cooperative_groups.h", "mine.h", "#define CHECK", "struct Point", "length()", "twice(float",
        "half_of", "void scale", "void fill", "table[] = {1, 2}", "namespace helpers {"})
    EXPECT_THAT(text, HasSubstr(kept));
  for (const char* gone : {"using namespace", "cout", "<<<", "argv", "return 0"})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
}

TEST(HostCode, KnowsTemplates) {
  const std::string text = program;
  const size_t first = text.find("__global__"), second = text.find("__global__", first + 1);
  EXPECT_FALSE(is_template_at(text, first));
  EXPECT_TRUE(is_template_at(text, second));
  EXPECT_FALSE(is_template_at("#include <cuda_runtime.h>\n__global__ void k() {}", 26));
}

TEST(HostCode, SurvivesWhatIsNoProgram) {
  for (const char* text :
       {"", "}", "{", "{{{;", "#", "#include <", "int main(", "int main() {", "using namespace std"}) {
    EXPECT_EQ(without_host_code(text).size(), std::string(text).size()) << text;
    main_line(text);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::test
