#include <gtest/gtest.h>

#include "core/compile/compiler.h"
#include "core/compile/compiler_log.h"
#include "core/compile/cubin.h"
#include "core/compile/locations.h"
#include "core/compile/nvjitlink.h"
#include "tests/core/compile/tools.h"

namespace warplens {
namespace {

constexpr const char* kernels[] = {"grayscale", "vector_add", "vector_add_unchecked", "mandelbrot",
                                   "matmul_tiled"};

class Linker : public testing::Test {
 protected:
  void SetUp() override {
    auto library = load_nvjitlink(nvjitlink_candidates());
    if (!library) GTEST_SKIP() << library.error().message;
    if (library->version_major > 12) GTEST_SKIP() << "nvJitLink 13 makes no code for Maxwell to Volta";
  }
};

class Linker13 : public testing::Test {
 protected:
  void SetUp() override {
    auto library = load_nvjitlink(nvjitlink13_candidates());
    if (!library) GTEST_SKIP() << library.error().message;
  }
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

TEST_F(Linker, GivesPlausibleResourcesForEveryArchitecture) {
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
      EXPECT_GT(resources->constant_bytes, 0u);
      EXPECT_EQ(resources->origin, ResourceOrigin::ptxas);
    }
}

// The ELF and ptxas' own words are two independent sources.
TEST_F(Linker, ElfAndLogAgree) {
  auto library = load_nvjitlink(nvjitlink_candidates());
  ASSERT_TRUE(library);
  for (const char* architecture : {"sm_50", "sm_75", "sm_86", "sm_90", "sm_120"})
    for (const char* kernel : {"mandelbrot", "matmul_tiled"}) {
      const std::string ptx = golden_ptx(kernel), option = std::string("-arch=") + architecture;
      const char* options[] = {option.c_str(), "-verbose"};
      NvJitLinkHandle* handle = nullptr;
      ASSERT_EQ(library->create(&handle, 2, options), 0);
      ASSERT_EQ(library->add_data(handle, NvJitLink::input_ptx, ptx.data(), ptx.size(), "k"), 0);
      ASSERT_EQ(library->complete(handle), 0);
      size_t size = 0;
      library->cubin_size(handle, &size);
      std::string cubin(size, '\0');
      library->cubin(handle, cubin.data());
      library->info_log_size(handle, &size);
      std::string log(size, '\0');
      library->info_log(handle, log.data());
      library->destroy(&handle);

      auto from_elf = read_cubin(cubin, kernel);
      ASSERT_TRUE(from_elf) << from_elf.error().message;
      PtxasInfo from_log = parse_ptxas_info(log, kernel);
      EXPECT_EQ(from_log.registers, from_elf->registers_per_thread) << architecture << log;
      EXPECT_EQ(from_log.stack_bytes, from_elf->local_bytes);
      EXPECT_EQ(from_log.shared_bytes.value_or(0), from_elf->shared_static_bytes);
    }
}

TEST_F(Linker, ARegisterCapSpills) {
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

TEST_F(Linker, DynamicSharedMemoryIsNotStatic) {
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

TEST_F(Linker, ContractionCanBeTurnedOff) {
  const std::string ptx =
      ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 "
      "%rd<3>;\n"
      ".reg .f32 %f<8>;\nld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nld.global.f32 %f1, "
      "[%rd2];\n"
      "ld.global.f32 %f2, [%rd2+4];\nmul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f2;\nst.global.f32 [%rd2], "
      "%f4;\n"
      "ret;\n}\n";
  auto fused = link_cubin(ptx, {8, 6}), plain = link_cubin(ptx, {8, 6}, {.contract = false});
  ASSERT_TRUE(fused) << fused.error().message;
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_NE(*fused, *plain);
}

TEST_F(Linker, TheSameLinkComesFromTheCache) {
  const std::string ptx = golden_ptx("mandelbrot");
  auto time = [&] {
    auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(resources_of(ptx, "mandelbrot", {8, 7}));
    return std::chrono::steady_clock::now() - start;
  };
  auto first = time(), second = time();
  EXPECT_LT(second, first);
}

TEST_F(Linker, BadPtxNamesTheLine) {
  auto broken = link_cubin(replaced(golden_ptx("matmul_tiled"), "fma.rn.f32", "fmx.rn.f32"), {8, 6});
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().kind, ErrorKind::bad_input);
  EXPECT_NE(broken.error().message.find("line "), std::string::npos) << broken.error().message;
  EXPECT_NE(broken.error().message.find("fmx"), std::string::npos) << broken.error().message;

  auto no_entry = resources_of(golden_ptx("vector_add"), "vector_sub", {8, 6});
  ASSERT_FALSE(no_entry);
  EXPECT_NE(no_entry.error().message.find("vector_sub"), std::string::npos);

  auto no_ptx = link_cubin("int main() {}", {8, 6});
  ASSERT_FALSE(no_ptx);
  EXPECT_EQ(no_ptx.error().kind, ErrorKind::bad_input);

  auto no_architecture = link_cubin(golden_ptx("vector_add"), {77, 7});
  ASSERT_FALSE(no_architecture);
  EXPECT_NE(no_architecture.error().message.find("sm_777"), std::string::npos);
}

TEST_F(Linker, PtxForANewerDeviceIsRefused) {
  const std::string hopper = replaced(golden_ptx("vector_add"), ".target sm_50", ".target sm_90");
  auto on_ampere = link_cubin(hopper, {8, 6});
  ASSERT_FALSE(on_ampere);
  EXPECT_EQ(on_ampere.error().kind, ErrorKind::refused);
  EXPECT_TRUE(link_cubin(hopper, {9, 0}));
  EXPECT_TRUE(link_cubin(hopper, {12, 0}));

  const std::string hopper_only = replaced(golden_ptx("vector_add"), ".target sm_50", ".target sm_90a");
  EXPECT_TRUE(link_cubin(hopper_only, {9, 0}));
  EXPECT_FALSE(link_cubin(hopper_only, {12, 0}));
}

TEST_F(Linker13, TakesNewerPtxOnTuringAndLater) {
  const std::string newer = replaced(golden_ptx("matmul_tiled"), ".version 8.8", ".version 9.0");
  for (ComputeCapability architecture : {ComputeCapability{7, 5}, {8, 6}, {9, 0}, {12, 0}}) {
    auto resources =
        resources_of(replaced(newer, ".target sm_50", ".target sm_75"), "matmul_tiled", architecture);
    ASSERT_TRUE(resources) << resources.error().message;
    EXPECT_GE(resources->registers_per_thread, 10u);
    EXPECT_LE(resources->registers_per_thread, 64u);
    EXPECT_EQ(resources->shared_static_bytes, 2048u);
  }
  auto volta = link_cubin(newer, {7, 0});
  ASSERT_FALSE(volta);
  EXPECT_EQ(volta.error().kind, ErrorKind::refused);
}

TEST(LinkerMissing, SaysWhatStillWorks) {
  ScopedEnvironment nowhere("WARPLENS_NVJITLINK", "/no/such/lib.so");
  auto resources = resources_of(golden_ptx("vector_add") + "// not in the cache", "vector_add", {8, 6});
  ASSERT_FALSE(resources);
  EXPECT_EQ(resources.error().kind, ErrorKind::missing);
  EXPECT_NE(resources.error().message.find("kernels still run"), std::string::npos);
}

TEST(Cubin, CutOrForeignFilesAreErrors) {
  EXPECT_FALSE(read_cubin("", "k"));
  EXPECT_FALSE(
      read_cubin("\x7f"
                 "ELF\x02",
                 "k"));
  EXPECT_FALSE(read_cubin(std::string(4096, '\xff'), "k"));
  auto library = load_nvjitlink(nvjitlink_candidates());
  if (!library) GTEST_SKIP() << library.error().message;
  auto cubin = link_cubin(golden_ptx("matmul_tiled"), {8, 6});
  ASSERT_TRUE(cubin);
  auto whole = read_cubin(*cubin, "matmul_tiled");
  ASSERT_TRUE(whole);
  // What stands behind the section table (program headers) is not needed.
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

}  // namespace
}  // namespace warplens
