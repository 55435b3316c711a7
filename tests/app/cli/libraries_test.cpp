// warplens libraries on a machine without a GPU: the kernel is modelled, the CPU measured, the rest a
// sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/shared/cli.h"
#include "core/gpu/engine/virtual_gpu.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

struct Outcome {
  int status = 0;
  std::string out, err;
};

Outcome run(std::vector<std::string> arguments) {
  std::vector<const char*> argv = {"warplens", "libraries"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  Cli cli{out, err, [] { return make_virtual_gpu(); }, {}, {}, 0};
  const int status = run_cli(static_cast<int>(argv.size()), argv.data(), cli);
  return {status, out.str(), err.str()};
}

TEST(LibrariesCommand, MakesATableOfSizes) {
  const Outcome outcome = run({"svd", "--sizes", "8,16", "--device", "H200"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("svd on NVIDIA H200, 8 × 8"));
  EXPECT_THAT(outcome.out, HasSubstr("svd on NVIDIA H200, 16 × 16"));
  EXPECT_THAT(outcome.out, HasSubstr("cuSOLVER: cuBLAS, cuSOLVER and cuRAND need a real GPU"));
  EXPECT_THAT(outcome.out, HasSubstr("Eigen"));
}

TEST(LibrariesCommand, PutsTheKernelFirst) {
  const Outcome outcome = run({"matmul", "--sizes", "32", "--device", "H200", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out)["sizes"][0]["rows"];
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["who"], "this kernel");
  EXPECT_EQ(rows[0]["source"], "modelled");
  EXPECT_TRUE(rows[1]["time_us"].is_null());
  EXPECT_FALSE(rows[1]["missing"].is_null());
  const Outcome pi = run({"pi", "--sizes", "3200", "--device", "H200"});
  EXPECT_EQ(pi.status, 0) << pi.err;
  EXPECT_THAT(pi.out, HasSubstr("3,200 points"));
  EXPECT_THAT(pi.out, HasSubstr("the CPU reference on one core"));
}

TEST(LibrariesCommand, RefusesWhatItCannotDo) {
  EXPECT_EQ(run({"lu"}).status, 2);
  EXPECT_EQ(run({"matmul", "--sizes", "99999", "--device", "H200"}).status, 2);
  EXPECT_EQ(run({"svd", "--sizes", "99999", "--device", "H200"}).status, 2);
  EXPECT_EQ(run({"svd", "--sizes", "x"}).status, 2);
}

}  // namespace THIS_FILE
}  // namespace warplens
