// Which instruction sets a machine may use: only those whose features it has completely.
#include "core/gpu/exec/isa/isa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace warplens::exec {
namespace THIS_FILE {

std::vector<std::string> names(uint32_t features, std::string_view widest = {}) {
  std::vector<std::string> all;
  for (const InstructionSet& set : instruction_sets(features, widest)) all.emplace_back(set.name);
  return all;
}

bool has(const std::vector<std::string>& all, const std::string& name) {
  return std::ranges::find(all, name) != all.end();
}

TEST(Isa, EveryFeatureThatIsCompiledForIsAskedFor) {
  for (uint32_t feature = 0; feature < feature_count; ++feature) {
    const std::vector<std::string> sets = names(features_avx512 & ~(1u << feature));
    EXPECT_FALSE(has(sets, "avx512")) << feature;
    EXPECT_EQ(has(sets, "avx2"), has(names(features_avx2), "avx2") && (features_avx2 >> feature & 1) == 0)
        << feature;
    EXPECT_TRUE(has(sets, "baseline")) << feature;
  }
  EXPECT_NE(features_avx512 >> feature_popcnt & 1, 0u);
  EXPECT_NE(features_avx512 >> feature_lzcnt & 1, 0u);
}

TEST(Isa, AWishForANarrowerSetIsKept) {
  EXPECT_EQ(names(features_avx512, "baseline"), std::vector<std::string>{"baseline"});
  EXPECT_EQ(names(features_avx512, "avx2"), names(features_avx2));
  EXPECT_EQ(names(features_avx512, "abacus"), names(features_avx512));
  EXPECT_EQ(names(0), std::vector<std::string>{"baseline"});
}

// Linux calls LZCNT "abm" and BMI "bmi1".
TEST(Isa, TheMachineIsAskedRight) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("flags")) {
  }
  if (line.empty() || machine_features() == 0) GTEST_SKIP() << "no x86-64 machine under Linux";
  std::istringstream words(line);
  const std::vector<std::string> flags(std::istream_iterator<std::string>{words}, {});
  const auto agrees = [&](FeatureNumber feature, const char* flag) {
    EXPECT_EQ((machine_features() >> feature & 1) != 0, has(flags, flag)) << flag;
  };
  agrees(feature_lzcnt, "abm");
  agrees(feature_popcnt, "popcnt");
  agrees(feature_bmi, "bmi1");
  agrees(feature_bmi2, "bmi2");
  agrees(feature_avx2, "avx2");
  agrees(feature_avx512f, "avx512f");
}

}  // namespace THIS_FILE
}  // namespace warplens::exec
