// What cannot be told from the PTX of a launch, and what the assembler tells better.
#include "core/job/report/profile/marks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/job/report/profile/explain.h"

namespace warplens::profile {
namespace THIS_FILE {

Facts counted() {
  Facts facts;
  for (const char* name :
       {"registers_per_thread", "limit_registers", "global_load_requests", "global_load_sectors",
        "global_store_requests", "global_store_sectors", "local_load_sectors", "local_store_sectors",
        "shared_load_requests", "shared_store_requests", "shared_atomic_wavefronts", "async_copy_requests",
        "zero_if_no_atomics"})
    facts[name] = {8, Mark::exact};
  return facts;
}

Resources by_ptxas(uint32_t local_bytes) {
  Resources resources;
  resources.local_bytes = local_bytes;
  resources.origin = ResourceOrigin::ptxas;
  return resources;
}

Facts settled(const std::string& body, std::optional<Resources> resources, bool cooperative = false) {
  LaunchRecord record;
  record.entry = "k";
  record.resources = resources;
  Facts facts = counted();
  const std::string ptx =
      ".visible .entry k2(\n)\n{\n\tcall malloc;\n\tcp.async.cg.shared.global [%r1], [%rd1], "
      "16;\n}\n.visible .entry k(\n)\n{\n\t" +
      body + "\n}\n.visible .entry other(\n)\n{\n\tatom.add.u32 %r1, [%rd1], 1;\n}\n";
  settle_marks(record, ptx, cooperative, facts);
  return facts;
}

TEST(ProfileMarks, APlainKernelKeepsThemAll) {
  for (const auto& [name, fact] : settled("st.global.u32 [%rd1], %r1;", by_ptxas(16)))
    EXPECT_EQ(fact.mark, Mark::exact) << name << ": other kernels of the module say nothing of this one";
}

TEST(ProfileMarks, TheAssemblerSaysHowMuchLocalMemoryThereIs) {
  Facts facts = settled("ret;", by_ptxas(0));
  EXPECT_EQ(facts["local_load_sectors"].value, 0) << "the array fits into registers";
  EXPECT_EQ(facts["local_load_sectors"].mark, Mark::exact);
  Resources spilled = by_ptxas(16);
  spilled.spill_store_bytes = 4;
  facts = settled("ret;", spilled);
  EXPECT_EQ(facts["local_store_sectors"].value, 8);
  EXPECT_EQ(facts["local_store_sectors"].mark, Mark::modelled);
}

TEST(ProfileMarks, WhatMachineCodeAddsIsModelled) {
  Facts facts = settled("call.uni (retval0), f, (param0);", by_ptxas(16));
  for (const char* name :
       {"global_store_sectors", "local_load_sectors", "registers_per_thread", "zero_if_no_atomics"})
    EXPECT_EQ(facts[name].mark, Mark::modelled) << name;
  EXPECT_EQ(facts["async_copy_requests"].mark, Mark::exact);
  facts = settled("atom.relaxed.gpu.add.u32 %r1, [%rd1], 1;", by_ptxas(16));
  EXPECT_EQ(facts["shared_atomic_wavefronts"].mark, Mark::modelled);
  facts = settled("atom.global.add.u32 %r1, [%rd1], 1;", by_ptxas(16));
  EXPECT_EQ(facts["shared_atomic_wavefronts"].mark, Mark::exact);
  facts = settled("ld.volatile.global.u32 %r1, [%rd1];", by_ptxas(16));
  EXPECT_EQ(facts["global_load_requests"].mark, Mark::modelled);
  EXPECT_EQ(facts["global_store_requests"].mark, Mark::exact);
  EXPECT_EQ(settled("ret;", by_ptxas(16), true)["global_load_requests"].mark, Mark::modelled);
  EXPECT_EQ(settled("cp.async.cg.shared.global [%r1], [%rd1], 16;", by_ptxas(16))["async_copy_requests"].mark,
            Mark::modelled);
}

TEST(ProfileMarks, WhatTheAssemblerMayJoinIsModelled) {
  const auto marks = [](const std::string& body) {
    const Facts facts = settled(body, by_ptxas(16));
    std::string lowered;
    for (const char* name : {"global_load_requests", "shared_load_requests", "shared_store_requests"})
      if (facts.find(name)->second.mark == Mark::modelled) lowered += name[0] == 'g' ? 'g' : name[7];
    return lowered;
  };
  EXPECT_EQ(marks("ld.global.u32 %r1, [%rd1];\n\tld.global.u32 %r2, [%rd1+4];"), "")
      << "its alignment is not known";
  EXPECT_EQ(marks("ld.global.u32 %r1, [%rd1];\n\tld.global.u32 %r2, [%rd1];"), "g")
      << "read twice, loaded once";
  EXPECT_EQ(marks("ld.shared.u32 %r1, [%r9+8];\n\tld.shared.u32 %r2, [%r9+12];"), "l")
      << "one load of 64 bits";
  EXPECT_EQ(marks("ld.shared.u32 %r1, [%r9];\n\tst.shared.u32 [%r9], %r2;"), "");
  EXPECT_EQ(marks("st.shared.u32 [tile], %r2;\n\tst.shared.u32 [ tile + 4 ], %r2;"), "s");
}

TEST(ProfileMarks, WithoutAnAssemblerRegistersAreModelled) {
  EXPECT_EQ(settled("ret;", std::nullopt)["registers_per_thread"].mark, Mark::modelled);
}

TEST(ProfileExplain, AFormulaHasTheLaunchsNumbers) {
  const Metric* metric = metric_table().metric("l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum");
  ASSERT_NE(metric, nullptr);
  Facts facts;
  facts["global_load_sectors"] = {57344, Mark::exact};
  EXPECT_EQ(with_numbers(*metric, facts), "32 * (57,344 + async_copy_global_sectors)");
  EXPECT_EQ(where_from({metric, std::nullopt, Mark::not_known}, facts),
            "Not known of this launch: it needs async_copy_global_sectors.");
  facts["async_copy_global_sectors"] = {0.5, Mark::exact};
  EXPECT_EQ(with_numbers(*metric, facts), "32 * (57,344 + 0.5)");
}

TEST(ProfileExplain, EveryMetricHasASentence) {
  for (const Metric& metric : metric_table().metrics) {
    EXPECT_GT(metric.what.size(), 20u) << metric.name;
    EXPECT_EQ(metric.what.back(), '.') << metric.name;
    EXPECT_FALSE(where_from({&metric, std::nullopt, Mark::not_known}, {}).empty()) << metric.name;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::profile
