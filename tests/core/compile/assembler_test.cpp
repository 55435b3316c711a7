#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

#include "core/compile/assembly_cache.h"
#include "core/compile/compiler.h"
#include "core/compile/cubin.h"
#include "core/compile/locations.h"
#include "core/compile/ptxas.h"
#include "tests/core/compile/tools.h"
#include "tests/environment.h"
#include "tests/processor_time.h"

namespace warplens {
namespace THIS_FILE {

constexpr const char* kernels[] = {"grayscale", "vector_add", "vector_add_unchecked", "mandelbrot",
                                   "matmul_tiled"};

class Assembler : public testing::Test {
 protected:
  void SetUp() override {
    if (!assembles_for_all())
      GTEST_SKIP() << "no ptxas of this machine makes code for every device; tools/setup brings it";
  }
  static std::string fresh(const std::string& ptx) {
    static int number = 0;
    return ptx + fmt::format("\n// {} {}\n", testing::UnitTest::GetInstance()->random_seed(), ++number);
  }
};

// A cache folder of a test's own. What set-up brought stays where it is.
class OwnCache {
 public:
  OwnCache() {
    std::filesystem::remove_all(m_folder);
    std::filesystem::create_directories(m_folder);
  }
  ~OwnCache() { std::filesystem::remove_all(m_folder); }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  size_t files() const {
    size_t count = 0;
    if (!std::filesystem::exists(assembly_cache_folder())) return 0;
    for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(assembly_cache_folder()))
      ++count;
    return count;
  }

 private:
  // First of all, where the assemblers are now.
  std::string m_ptxas = ptxas_candidates().front(), m_ptxas12 = ptxas12_candidates().front();
  std::filesystem::path m_folder =
      std::filesystem::path(testing::TempDir()) /
      ("assembled_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  ScopedEnvironment m_cache{"XDG_CACHE_HOME", m_folder.c_str()}, m_newer{"WARPLENS_PTXAS", m_ptxas.c_str()},
      m_older{"WARPLENS_PTXAS12", m_ptxas12.c_str()};
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// A kernel that needs far more registers than 32.
std::string register_hungry_ptx() {
  std::string ptx =
      ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry hungry(.param .u64 p)\n{\n"
      ".reg .b64 %rd<3>;\n.reg .f32 %f<128>;\nld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n";
  for (int i = 0; i < 96; ++i) {
    std::string address = "[%rd2+" + std::to_string(4 * i) + "]", f = "%f" + std::to_string(i);
    ptx += "ld.volatile.global.f32 " + f + ", " + address + ";\n";
  }
  for (int i = 95; i >= 0; --i) {
    std::string address = "[%rd2+" + std::to_string(4 * i) + "]", f = "%f" + std::to_string(i);
    ptx += "st.volatile.global.f32 " + address + ", " + f + ";\n";
  }
  return ptx + "ret;\n}\n";
}

TEST_F(Assembler, GivesPlausibleResourcesForEveryArchitecture) {
  for (ComputeCapability architecture :
       {ComputeCapability{5, 0}, {6, 1}, {7, 0}, {7, 5}, {8, 6}, {8, 9}, {9, 0}, {12, 0}})
    for (const char* kernel : kernels) {
      auto resources = resources_of(golden_ptx(kernel), kernel, architecture);
      ASSERT_TRUE(resources) << resources.error().message;
      EXPECT_GE(resources->registers_per_thread, 4u) << kernel << architecture.number();
      EXPECT_LE(resources->registers_per_thread, 64u) << kernel << architecture.number();
      EXPECT_EQ(resources->shared_static_bytes, std::string_view(kernel) == "matmul_tiled" ? 2048u : 0u);
      EXPECT_EQ(resources->spill_store_bytes, 0u);
      EXPECT_EQ(resources->local_bytes, 0u);
      EXPECT_EQ(resources->constant_bytes, 0u);
      EXPECT_EQ(resources->barriers, std::string_view(kernel) == "matmul_tiled" ? 1u : 0u);
      EXPECT_EQ(resources->origin, ResourceOrigin::ptxas);
    }
}

TEST_F(Assembler, ARegisterCapSpills) {
  const std::string ptx = register_hungry_ptx();
  auto free = resources_of(ptx, "hungry", {8, 6});
  ASSERT_TRUE(free) << free.error().message;
  EXPECT_GT(free->registers_per_thread, 90u);
  EXPECT_EQ(free->spill_store_bytes, 0u);
  auto capped = resources_of(ptx, "hungry", {8, 6}, {.max_registers = 32});
  ASSERT_TRUE(capped) << capped.error().message;
  EXPECT_LE(capped->registers_per_thread, 32u);
  EXPECT_GT(capped->spill_store_bytes, 0u);
  EXPECT_GT(capped->spill_load_bytes, 0u);
  EXPECT_GE(capped->local_bytes, capped->spill_store_bytes);
}

TEST_F(Assembler, DynamicSharedMemoryIsNotStatic) {
  const std::string ptx =
      ".version 8.0\n.target sm_50\n.address_size 64\n.extern .shared .align 4 .b8 tile[];\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<3>;\n.reg .f32 %f<3>;\nld.param.u64 %rd1, [p];\n"
      "cvta.to.global.u64 %rd2, %rd1;\nld.global.f32 %f1, [%rd2];\nst.shared.f32 [tile], %f1;\nbar.sync 0;\n"
      "ld.shared.f32 %f2, [tile+4];\nst.global.f32 [%rd2], %f2;\nret;\n}\n";
  for (ComputeCapability architecture : {ComputeCapability{6, 1}, {8, 6}, {9, 0}, {12, 0}}) {
    auto resources = resources_of(ptx, "k", architecture);
    ASSERT_TRUE(resources) << resources.error().message;
    EXPECT_EQ(resources->shared_static_bytes, 0u) << architecture.number();
  }
}

TEST_F(Assembler, ContractionCanBeTurnedOff) {
  const std::string ptx =
      ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 "
      "%rd<3>;\n"
      ".reg .f32 %f<8>;\nld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nld.global.f32 %f1, "
      "[%rd2];\n"
      "ld.global.f32 %f2, [%rd2+4];\nmul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f2;\nst.global.f32 [%rd2], "
      "%f4;\n"
      "ret;\n}\n";
  auto fused = assemble_cubin(ptx, {8, 6}), plain = assemble_cubin(ptx, {8, 6}, {.contract = false});
  ASSERT_TRUE(fused) << fused.error().message;
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_NE(*fused, *plain);
}

TEST_F(Assembler, TheSameAssemblyIsKeptForAllProcesses) {
  const OwnCache cache;
  const std::string ptx = fresh(golden_ptx("mandelbrot"));
  const auto first = resources_of(ptx, "mandelbrot", {8, 7});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(cache.files(), 1u);
  EXPECT_TRUE(resources_of(ptx, "mandelbrot", {8, 7}));
  EXPECT_EQ(cache.files(), 1u);
  EXPECT_TRUE(resources_of(ptx, "mandelbrot", {8, 6}));
  EXPECT_TRUE(resources_of(ptx, "mandelbrot", {8, 7}, {.max_registers = 24}));
  EXPECT_EQ(cache.files(), 3u);
  // A damaged entry is assembled again. The process' own memory has room for 32 others.
  for (const auto& file : std::filesystem::directory_iterator(assembly_cache_folder()))
    std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) / 2);
  for (uint32_t i = 0; i < 40; ++i)
    EXPECT_TRUE(resources_of(ptx, "mandelbrot", {8, 7}, {.max_registers = 32 + i}));
  const auto again = resources_of(ptx, "mandelbrot", {8, 7});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->registers_per_thread, first->registers_per_thread);
}

TEST_F(Assembler, AskedFromManyThreadsItAssemblesOnce) {
  const OwnCache cache;
  const std::string ptx = fresh(golden_ptx("matmul_tiled"));
  std::vector<std::jthread> threads;
  std::atomic<uint32_t> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const auto resources = resources_of(ptx, "matmul_tiled", {8, 6});
      if (resources && resources->shared_static_bytes == 2048) ++right;
    });
  threads.clear();
  EXPECT_EQ(right, 8u);
  EXPECT_EQ(cache.files(), 1u);
}

TEST_F(Assembler, BadPtxNamesTheLine) {
  auto broken = assemble_cubin(replaced(golden_ptx("matmul_tiled"), "fma.rn.f32", "fmx.rn.f32"), {8, 6});
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().kind, ErrorKind::bad_input);
  EXPECT_NE(broken.error().message.find("line "), std::string::npos) << broken.error().message;
  EXPECT_NE(broken.error().message.find("fmx"), std::string::npos) << broken.error().message;

  auto no_entry = resources_of(golden_ptx("vector_add"), "vector_sub", {8, 6});
  ASSERT_FALSE(no_entry);
  EXPECT_NE(no_entry.error().message.find("vector_sub"), std::string::npos);

  auto no_ptx = assemble_cubin("int main() {}", {8, 6});
  ASSERT_FALSE(no_ptx);
  EXPECT_EQ(no_ptx.error().kind, ErrorKind::bad_input);

  auto no_architecture = assemble_cubin(golden_ptx("vector_add"), {77, 7});
  ASSERT_FALSE(no_architecture);
  EXPECT_NE(no_architecture.error().message.find("sm_777"), std::string::npos);
}

TEST_F(Assembler, PtxForANewerDeviceIsRefused) {
  const std::string hopper = replaced(golden_ptx("vector_add"), ".target sm_50", ".target sm_90");
  auto on_ampere = assemble_cubin(hopper, {8, 6});
  ASSERT_FALSE(on_ampere);
  EXPECT_EQ(on_ampere.error().kind, ErrorKind::refused);
  EXPECT_TRUE(assemble_cubin(hopper, {9, 0}));
  EXPECT_TRUE(assemble_cubin(hopper, {12, 0}));

  const std::string hopper_only = replaced(golden_ptx("vector_add"), ".target sm_50", ".target sm_90a");
  EXPECT_TRUE(assemble_cubin(hopper_only, {9, 0}));
  EXPECT_FALSE(assemble_cubin(hopper_only, {12, 0}));
}

TEST_F(Assembler, TakesNewerPtxOnTuringAndLater) {
  const std::string newer = replaced(golden_ptx("matmul_tiled"), ".version 8.8", ".version 9.0");
  for (ComputeCapability architecture : {ComputeCapability{7, 5}, {8, 6}, {9, 0}, {12, 0}}) {
    auto resources =
        resources_of(replaced(newer, ".target sm_50", ".target sm_75"), "matmul_tiled", architecture);
    ASSERT_TRUE(resources) << resources.error().message;
    EXPECT_GE(resources->registers_per_thread, 10u);
    EXPECT_LE(resources->registers_per_thread, 64u);
    EXPECT_EQ(resources->shared_static_bytes, 2048u);
  }
  auto volta = assemble_cubin(newer, {7, 0});
  ASSERT_FALSE(volta);
  EXPECT_EQ(volta.error().kind, ErrorKind::refused);
}

TEST(AssemblerMissing, SaysWhatStillWorks) {
  const ScopedEnvironment nowhere("WARPLENS_PTXAS", "/no/such/ptxas");
  auto resources = resources_of(golden_ptx("vector_add") + "// not in the cache", "vector_add", {8, 6});
  ASSERT_FALSE(resources);
  EXPECT_EQ(resources.error().kind, ErrorKind::missing);
  EXPECT_NE(resources.error().message.find("kernels still run"), std::string::npos);
}

// A program that is no assembler, and one that never ends, are errors with a sentence.
TEST_F(Assembler, AProgramThatIsNoAssemblerIsAnError) {
  const OwnCache cache;
  const ScopedEnvironment other("WARPLENS_PTXAS", "/bin/true");
  const auto nothing = assemble_cubin(fresh(golden_ptx("vector_add")), {8, 6});
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().message.find("gave no machine code"), std::string::npos)
      << nothing.error().message;
}

double milliseconds_worked() { return 1e3 * (processor_seconds() + processor_seconds_of_children()); }

// Processor time, the best of five runs. Machines differ, so the limit is at least the time of ptxas itself
// plus a quarter.
TEST_F(Assembler, ASmallKernelTakesAtMostFortyMilliseconds) {
  const OwnCache cache;
  double best = 1e9, alone = best;
  for (int i = 0; i < 5; ++i) {
    const std::string ptx = fresh(golden_ptx("matmul_tiled"));
    const double before = milliseconds_worked();
    ASSERT_TRUE(run_ptxas(ptxas_candidates().front(), ptx, "sm_90", {}));
    const double between = milliseconds_worked();
    ASSERT_TRUE(resources_of(ptx, "matmul_tiled", {9, 0}));
    alone = std::min(alone, between - before);
    best = std::min(best, milliseconds_worked() - between);
  }
  EXPECT_GT(alone, 0) << "of ptxas, too";
  EXPECT_LT(best, std::max(40.0, alone * 5 / 4));
  RecordProperty("milliseconds", std::to_string(best));
}

TEST(Cubin, CutOrForeignFilesAreErrors) {
  EXPECT_FALSE(read_cubin("", "k"));
  EXPECT_FALSE(
      read_cubin("\x7f"
                 "ELF\x02",
                 "k"));
  EXPECT_FALSE(read_cubin(std::string(4096, '\xff'), "k"));
  if (ptxas_candidates().empty()) GTEST_SKIP() << "there is no ptxas on this machine";
  auto cubin = assemble_cubin(golden_ptx("matmul_tiled"), {8, 6});
  ASSERT_TRUE(cubin);
  auto whole = read_cubin(*cubin, "matmul_tiled");
  ASSERT_TRUE(whole);
  // The part after the section table (program headers) is not needed.
  for (size_t size = 0; size < cubin->size(); size += 7) {
    auto cut = read_cubin(std::string_view(*cubin).substr(0, size), "matmul_tiled");
    EXPECT_TRUE(size >= cubin->size() / 2 || !cut) << size;
    EXPECT_TRUE(!cut || cut->registers_per_thread == whole->registers_per_thread) << size;
  }
  // Any byte may be wrong; none may crash.
  for (size_t at = 0; at < cubin->size(); ++at) {
    std::string bent = *cubin;
    bent[at] = static_cast<char>(~bent[at]);
    auto resources = read_cubin(bent, "matmul_tiled");
    EXPECT_TRUE(resources || !resources.error().message.empty());
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
