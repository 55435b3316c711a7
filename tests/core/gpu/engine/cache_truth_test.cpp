// The cache model against Nsight Compute's counters on an H200: tests/data/truth/caches_h200.json.
// docs/caches.md has the table; WARPLENS_CACHE_TABLE=docs/caches.md writes it again.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/gpu/engine/virtual_gpu.h"
#include "tests/core/gpu/engine/support.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::test {
namespace THIS_FILE {

using Json = nlohmann::json;

LaunchRequest request_of(const Json& test, const std::shared_ptr<const ModuleText>& module) {
  LaunchRequest request;
  request.module = module;
  request.device = *find_device("H200");
  request.model_caches = true;
  LaunchStep step;
  step.entry = test["kernel"].get<std::string>();
  step.grid = {test["grid"][0].get<uint32_t>(), test["grid"][1].get<uint32_t>(), 1};
  step.block = {test["block"][0].get<uint32_t>(), test["block"][1].get<uint32_t>(), 1};
  for (const Json& floats : test["floats"]) {
    BufferSpec buffer;
    buffer.name = std::string(1, static_cast<char>('a' + request.buffers.size()));
    buffer.bytes = floats.get<uint64_t>() * 4;
    step.arguments.emplace_back(BufferArgument{static_cast<uint32_t>(request.buffers.size()), 0});
    request.buffers.push_back(std::move(buffer));
  }
  step.arguments.emplace_back(ScalarArgument{DType::i32, test["n"].get<uint32_t>()});
  request.steps = {step};
  return request;
}

struct Row {
  double l1_hit_percent = 0, l1_hit_percent_hardware = 0;  // of global load sectors
  double dram_read = 0, dram_read_hardware = 0;            // bytes
  double l2_reads = 0, l2_reads_hardware = 0;              // sectors
};

double percent(double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; }

Row compare(Backend& backend, const Json& test, const std::shared_ptr<const ModuleText>& module) {
  const auto result = backend.run(std::make_shared<LaunchRequest>(request_of(test, module)), {}, nullptr);
  EXPECT_TRUE(result.ok()) << result.error().message;
  const Counters& got = *result->counters;
  const Json& want = test["counters"];
  const auto loads = double(got.global_load_sectors);
  return {percent(double(got.l1_hit_sectors.value()), loads),
          percent(want["l1_load_hit_sectors"].get<double>(), want["global_load_sectors"].get<double>()),
          double(got.dram_read_bytes.value()),
          want["dram_read_bytes"].get<double>(),
          double(got.l2_read_sectors.value()),
          want["l2_read_sectors"].get<double>()};
}

std::string table_line(const Json& test, const Row& row) {
  return fmt::format("| {} n {} | {}×{} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
                     test["kernel"].get<std::string>(), test["n"].get<uint64_t>(),
                     test["block"][0].get<int>(), test["block"][1].get<int>(), row.l1_hit_percent,
                     row.l1_hit_percent_hardware, row.l2_reads / 1e6, row.l2_reads_hardware / 1e6,
                     row.dram_read / 1e6, row.dram_read_hardware / 1e6);
}

TEST(CacheTruth, HitRatesAndDramBytesComeNearAnH200s) {
  const auto backend = make_virtual_gpu();
  const Json tests =
      Json::parse(exec::test::read_text(exec::test::source_file("tests/data/truth/caches_h200.json")));
  auto module = std::make_shared<ModuleText>();
  module->ptx = exec::test::read_text(exec::test::source_file("tests/data/truth/cache_cases.ptx"));
  const char* table = std::getenv("WARPLENS_CACHE_TABLE");
  std::string lines;
  int compared = 0, near_hits = 0, near_bytes = 0;
  for (const Json& test : tests) {
    // The large ones take seconds; the page shows them too.
    if (table == nullptr && test["counters"]["global_load_sectors"].get<uint64_t>() > 1'600'000) continue;
    const Row row = compare(*backend, test, module);
    lines += table_line(test, row);
    ++compared;
    near_hits += std::abs(row.l1_hit_percent - row.l1_hit_percent_hardware) <= 5;
    near_bytes += std::abs(row.dram_read - row.dram_read_hardware) <= 0.02 * row.dram_read_hardware + 8192;
  }
  if (table != nullptr) std::ofstream(table, std::ios::app) << lines;
  EXPECT_GE(compared, 14);
  EXPECT_EQ(near_hits, compared) << lines;
  EXPECT_EQ(near_bytes, compared - (table != nullptr ? 1 : 0)) << lines;
}

TEST(Cache, IsNotModelledWhereTheDeviceFileLacksItsSize) {
  Request request(kernel("k", 1, "ld.global.u32 %r0, [%p0]; st.global.u32 [%p0+4], %r0; ret;"));
  request.buffer("x", zeros(8)).launch("k", {1, 1, 1}, {32, 1, 1});
  request.value.model_caches = true;
  auto result = request.run();
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->counters->l1_hit_sectors.has_value());
  request.value.device = *find_device("H200");
  result = request.run();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->counters->l1_hit_sectors, 0u);
  EXPECT_EQ(result->counters->l2_read_sectors, 1u);
  EXPECT_EQ(result->counters->dram_read_bytes, 32u);
  EXPECT_EQ(result->counters->dram_write_bytes, 0u);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
