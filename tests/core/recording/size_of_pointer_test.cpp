#include "core/recording/size_of_pointer.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace warplens::recording {
namespace THIS_FILE {

using testing::IsEmpty;
using testing::StartsWith;

std::string said(const std::string& declared, const std::string& call, uint64_t bytes = 8) {
  const auto file = std::filesystem::path(testing::TempDir()) /
                    (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".cu");
  std::ofstream(file) << declared << "\n" << call << "\n";
  const HostPlace place{file.string(), "main", 2};
  return size_of_pointer(&place, bytes);
}

TEST(SizeOfPointer, OfWhatIsDeclaredAsAPointer) {
  const std::string call = "  cudaMemcpy(d, v, sizeof(v), cudaMemcpyHostToDevice);";
  for (const char* declared :
       {"  int* v = (int*)malloc(n);", "  float *u, *v;", "void run(const double* v, int n) {",
        "  const Node* const *v = nodes;", "  auto *v = new int[n];"})
    EXPECT_THAT(said(declared, call), StartsWith("sizeof(v) is 8, the size of a pointer")) << declared;
  EXPECT_THAT(said("  int* v;", "  cudaMemcpy(d, v,\n    sizeof v,\n cudaMemcpyHostToDevice);"),
              StartsWith("sizeof(v)"));
}

TEST(SizeOfPointer, NotOfOthers) {
  const std::string call = "  cudaMemcpy(d, v, sizeof(v), cudaMemcpyHostToDevice);";
  for (const char* declared :
       {"  int v[2];", "  double v;", "  std::array<int, 2> v{};", "  float u = 2 * v;", "  add(a * v);",
        "  Pair v = {1, 2};", "  x = a * v;", ""})
    EXPECT_THAT(said(declared, call), IsEmpty()) << declared;
  EXPECT_THAT(said("  int* v;", call, 4), IsEmpty());
  EXPECT_THAT(said("  int* v;", "  cudaMemcpy(d, &v, sizeof(v), cudaMemcpyHostToDevice);"), IsEmpty());
  EXPECT_THAT(said("  int* v;", "  cudaMemcpy(d, v, 2 * sizeof(*v), cudaMemcpyHostToDevice);"), IsEmpty());
  EXPECT_THAT(size_of_pointer(nullptr, 8), IsEmpty());
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
