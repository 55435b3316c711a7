#include "core/job/report/ncu_names.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/launch/fields.h"

namespace warplens {
namespace THIS_FILE {

TEST(NcuNames, EveryCounterHasARowInTheReportsOrder) {
  std::vector<std::string> counters, rows;
  Counters none;
  each_field(none, [&](std::string_view name, const auto&) { counters.emplace_back(name); });
  for (const NcuName& name : ncu_names()) rows.push_back(name.counter);
  std::sort(counters.begin(), counters.end());
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(rows, counters);
}

TEST(NcuNames, MetricsAreOfTheProfilerAndDifferencesAreFounded) {
  for (const NcuName& name : ncu_names()) {
    EXPECT_TRUE(name.metric.empty() || name.metric.find("__") != std::string::npos) << name.counter;
    EXPECT_LE(name.differ, name.compared) << name.counter;
    EXPECT_EQ(name.most_percent.has_value(), name.differ != 0) << name.counter;
    EXPECT_TRUE(name.differ == 0 || !name.why.empty()) << name.counter;
  }
}

TEST(NcuNames, TheTableHasValuesAndSaysWhatIsNotKnown) {
  Counters counters;
  counters.shared_atomic_wavefronts = 1806;
  const std::string table = ncu_table(counters);
  EXPECT_NE(table.find("1,806"), std::string::npos);
  EXPECT_NE(table.find("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"), std::string::npos);
  EXPECT_NE(table.find("not known"), std::string::npos) << "the caches were not modelled";
  EXPECT_EQ(ncu_table(std::nullopt).find("1,806"), std::string::npos);
}

}  // namespace THIS_FILE
}  // namespace warplens
