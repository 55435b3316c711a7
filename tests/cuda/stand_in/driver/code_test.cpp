// How code arrives: PTX, fat binaries, cubins, the linker, libraries.
#include <gmock/gmock.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <vector>

#include "cuda/stand_in/driver/code/image.h"
#include "cuda/stand_in/driver/code/merge_ptx.h"
#include "tests/cuda/stand_in/driver/library.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

enum class Packing { plain, lz4, zstd };

std::string packed(const std::string& text, Packing packing) {
  if (packing == Packing::plain) return text;
  if (packing == Packing::lz4) {
    std::string out(static_cast<size_t>(LZ4_compressBound(static_cast<int>(text.size()))), '\0');
    out.resize(static_cast<size_t>(LZ4_compress_default(
        text.data(), out.data(), static_cast<int>(text.size()), static_cast<int>(out.size()))));
    return out;
  }
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

template <class T>
void put(std::string& bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::string entry_of(uint16_t kind, uint32_t architecture, const std::string& text, Packing packing) {
  const std::string payload = packed(text, packing);
  const size_t size = (payload.size() + 7) / 8 * 8;
  std::string entry(64, '\0');
  put<uint16_t>(entry, 0, kind);
  put<uint16_t>(entry, 2, 0x101);
  put<uint32_t>(entry, 4, 64);
  put<uint64_t>(entry, 8, size);
  put<uint32_t>(entry, 16, packing == Packing::plain ? 0u : static_cast<uint32_t>(payload.size()));
  put<uint32_t>(entry, 28, architecture);
  put<uint64_t>(entry, 40, packing == Packing::lz4 ? 0x2000u : packing == Packing::zstd ? 0x8000u : 0u);
  put<uint64_t>(entry, 56, packing == Packing::plain ? 0u : text.size());
  return entry + payload + std::string(size - payload.size(), '\0');
}

std::string fat(const std::string& entries) {
  std::string header(16, '\0');
  put<uint32_t>(header, 0, 0xba55ed50);
  put<uint16_t>(header, 4, 1);
  put<uint16_t>(header, 6, 16);
  put<uint64_t>(header, 8, entries.size());
  return header + entries;
}

class DriverCode : public DriverTest {
 protected:
  CUresult load_bytes(const std::string& bytes, CUmodule* module = nullptr) {
    CUmodule made = nullptr;
    const CUresult result = CALL(cuModuleLoadData)(module == nullptr ? &made : module, bytes.data());
    return result;
  }
};

TEST_F(DriverCode, FatBinaries) {
  const std::string text = kernel("add", add_one);
  for (const Packing packing : {Packing::plain, Packing::lz4, Packing::zstd}) {
    const std::string bytes =
        fat(entry_of(2, 86, "machine code", Packing::plain) + entry_of(1, 50, text, packing) +
            entry_of(1, 120, "for newer devices", packing));
    CUmodule module = nullptr;
    FINE(load_bytes(bytes, &module));
    CUfunction function = nullptr;
    FINE(CALL(cuModuleGetFunction)(&function, module, "add"));
  }
}

TEST_F(DriverCode, WhatCannotRunSaysWhy) {
  CaptureStderr();
  EXPECT_EQ(load_bytes(std::string("\x7f"
                                   "ELF\2\1\1",
                                   7) +
                       std::string(200, '\0')),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("nvcc"));
  EXPECT_EQ(load_bytes(fat(entry_of(2, 86, "machine code", Packing::plain))), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(load_bytes(fat(entry_of(1, 120, "newer", Packing::plain))), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(load_bytes("no code at all"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(load_bytes(".version 7.0\n.target sm_50\n.address_size 64\nnonsense"), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(load_bytes(".version 8.7\n.target sm_120\n.address_size 64\n"), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST(DriverImage, DamagedFatBinaries) {
  const std::string text = kernel("add", add_one);
  const std::string whole = fat(entry_of(1, 50, text, Packing::zstd));
  ASSERT_TRUE(driver::ptx_of_image(whole.data(), whole.size(), 86).ok());
  for (size_t size = 4; size < whole.size(); ++size) {
    // Cut off, with a size that the caller knows: never more than it is read.
    const std::string cut = whole.substr(0, size);
    EXPECT_FALSE(driver::ptx_of_image(cut.data(), cut.size(), 86).ok()) << size;
  }
  std::string broken = whole;
  for (size_t at = 16 + 64; at < broken.size(); ++at) broken[at] = static_cast<char>(broken[at] ^ 0x55);
  EXPECT_FALSE(driver::ptx_of_image(broken.data(), broken.size(), 86).ok());
}

TEST(DriverImage, ClaimsMoreThanItHas) {
  // A gigabyte of text out of a few bytes: said to be damaged, and not allocated.
  for (const Packing packing : {Packing::lz4, Packing::zstd}) {
    std::string bytes = fat(entry_of(1, 50, kernel("add", add_one), packing));
    put<uint64_t>(bytes, 16 + 56, uint64_t{1} << 29);
    const auto text = driver::ptx_of_image(bytes.data(), bytes.size(), 86);
    ASSERT_FALSE(text.ok());
    EXPECT_THAT(text.error().message, HasSubstr("its headers do not fit"));
  }
}

TEST(DriverImage, ShorterThanItsHeader) {
  for (const uint32_t magic : {0xba55ed50u, 0x466243b1u}) {
    const std::vector<uint32_t> head{magic, 1};
    const auto text = driver::ptx_of_image(head.data(), 8, 86);
    ASSERT_FALSE(text.ok());
    EXPECT_THAT(text.error().message, HasSubstr("damaged"));
  }
  const std::string empty;
  EXPECT_FALSE(driver::ptx_of_image(empty.c_str(), std::nullopt, 86).ok());
}

constexpr const char* caller =
    ".version 7.0\n.target sm_50\n.address_size 64\n"
    ".extern .func (.param .b32 r) twice(.param .b32 x);\n"
    ".global .u32 own = 5;\n"
    ".visible .entry call(.param .u64 a)\n{\n.reg .b64 %p;\n.reg .b32 %x, %y;\nld.param.u64 %p, [a];\n"
    "ld.global.u32 %x, [%p];\n{\n.param .b32 in;\n.param .b32 out;\nst.param.b32 [in], %x;\n"
    "call.uni (out), twice, (in);\nld.param.b32 %x, [out];\n}\nld.global.u32 %y, [own];\nadd.u32 %x, %x, "
    "%y;\n"
    "st.global.u32 [%p], %x;\nret;\n}\n";
constexpr const char* callee =
    ".version 7.5\n.target sm_60\n.address_size 64\n.global .u32 own = 100;\n"
    ".visible .func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %x, %y;\nld.param.b32 %x, [x];\n"
    "add.u32 %x, %x, %x;\nld.global.u32 %y, [own];\nadd.u32 %x, %x, %y;\nst.param.b32 [r], %x;\nret;\n}\n";

TEST_F(DriverCode, TheLinkerJoinsTexts) {
  for (const bool caller_first : {true, false}) {
    CUlinkState link = nullptr;
    FINE(CALL(cuLinkCreate_v2)(0, nullptr, nullptr, &link));
    for (const bool now : {caller_first, !caller_first}) {
      std::string text = now ? caller : callee;
      FINE(CALL(cuLinkAddData_v2)(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1,
                                  now ? "caller" : "callee", 0, nullptr, nullptr));
    }
    void* cubin = nullptr;
    size_t bytes = 0;
    FINE(CALL(cuLinkComplete)(link, &cubin, &bytes));
    CUmodule module = nullptr;
    FINE(CALL(cuModuleLoadData)(&module, cubin));
    FINE(CALL(cuLinkDestroy)(link));
    CUfunction function = nullptr;
    FINE(CALL(cuModuleGetFunction)(&function, module, "call"));
    CUdeviceptr p = upload(std::vector<uint32_t>{21});
    FINE(launch(function, 1, 1, {&p}));
    EXPECT_EQ(download<uint32_t>(p, 1)[0], 2 * 21 + 100 + 5u);
  }
}

TEST_F(DriverCode, ObjectsAndArchivesAreLinkedForTheirPtx) {
  // As files of a host compiler hold them: the fat binaries of several sources, one of them for other
  // devices.
  const std::string code = fat(entry_of(1, 50, callee, Packing::zstd));
  const std::string newer = fat(entry_of(1, 120, "newer", Packing::plain));
  const std::string object =
      "\x7f"
      "ELF and what an object has" +
      newer + "more" + code + "the end";
  const std::string archive = "!<arch>\nnames " + object + fat(entry_of(1, 50, caller, Packing::lz4));
  for (const bool is_archive : {false, true}) {
    CUlinkState link = nullptr;
    FINE(CALL(cuLinkCreate_v2)(0, nullptr, nullptr, &link));
    std::string first = is_archive ? archive : object, second = caller;
    FINE(CALL(cuLinkAddData_v2)(link, is_archive ? CU_JIT_INPUT_LIBRARY : CU_JIT_INPUT_OBJECT, first.data(),
                                first.size(), "a file", 0, nullptr, nullptr));
    if (!is_archive) {
      FINE(CALL(cuLinkAddData_v2)(link, CU_JIT_INPUT_PTX, second.data(), second.size() + 1, "caller", 0,
                                  nullptr, nullptr));
    }
    void* cubin = nullptr;
    size_t bytes = 0;
    FINE(CALL(cuLinkComplete)(link, &cubin, &bytes));
    CUdeviceptr p = upload(std::vector<uint32_t>{21});
    FINE(launch(load(static_cast<const char*>(cubin), "call"), 1, 1, {&p}));
    EXPECT_EQ(download<uint32_t>(p, 1)[0], 2 * 21 + 100 + 5u);
    FINE(CALL(cuLinkDestroy)(link));
  }
}

TEST(DriverImage, DamagedObjects) {
  const std::string whole =
      "\x7f"
      "ELF" +
      fat(entry_of(1, 50, callee, Packing::zstd));
  EXPECT_EQ(driver::ptx_of_objects(whole, 86).size(), 1u);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(driver::ptx_of_objects(std::string_view(whole).substr(0, size), 86).empty()) << size;
}

TEST_F(DriverCode, TheDefinitionSaysWhatTheParametersAre) {
  // The caller passes its 4 bytes untyped, with other names than in the other text; a linker uses only the
  // function's name.
  std::string other = callee;
  const std::string typed = "(.param .b32 r) twice(.param .b32 x)";
  other.replace(other.find(typed), typed.size(), "(.param .u32 r) twice(.param .u32 x)");
  const std::vector<driver::PtxPart> parts{{"caller", caller}, {"callee", other}};
  const auto merged = driver::merge_ptx(parts);
  ASSERT_TRUE(merged.ok());
  CUmodule module = nullptr;
  FINE(load_bytes(*merged, &module));
  EXPECT_THAT(*merged, Not(HasSubstr(".param .b32 x);")));
}

// The assembler refuses a line that is inlined at a place of a file that it does not know.
TEST(DriverMerge, LinesKeepTheirFiles) {
  const std::string first =
      ".version 7.2\n.target sm_60\n.address_size 64\n.visible .func one() { ret; }\n"
      ".file 1 \"a.cu\"\n.file 2 \"a.h\"\n";
  const std::string second =
      ".version 7.2\n.target sm_60\n.address_size 64\n.visible .func two() {\n"
      ".loc 1 3 4\n.loc 2 5 6, function_name $L__info_string0, inlined_at 1 3 4\nret; }\n"
      ".file 1 \"b.cu\"\n.file 2 \"b.h\"\n.section .debug_str\n{\n$L__info_string0:\n.b8 97, 0\n}\n";
  const auto merged = driver::merge_ptx(std::vector<driver::PtxPart>{{"one", first}, {"two", second}});
  ASSERT_TRUE(merged.ok());
  EXPECT_THAT(*merged,
              HasSubstr(".loc 3 3 4\n.loc 4 5 6, function_name $L__info_string0__part1, inlined_at 3 3 4"));
  EXPECT_THAT(*merged, HasSubstr("\n$L__info_string0__part1:\n.b8 97, 0\n"));
  EXPECT_THAT(*merged, HasSubstr(".file 4 \"b.h\""));
}

TEST(DriverMerge, TheSameNameTwiceIsAnError) {
  const std::vector<driver::PtxPart> parts{{"one", callee}, {"two", callee}};
  const auto merged = driver::merge_ptx(parts);
  ASSERT_FALSE(merged.ok());
  EXPECT_THAT(merged.error().message, HasSubstr("twice is defined in one and in two"));
  EXPECT_FALSE(driver::merge_ptx({}).ok());
}

TEST_F(DriverCode, LibrariesAndTheirKernels) {
  const std::string text = kernel("add", add_one);
  CUlibrary library = nullptr;
  FINE(CALL(cuLibraryLoadData)(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel add = nullptr;
  FINE(CALL(cuLibraryGetKernel)(&add, library, "add"));
  EXPECT_EQ(CALL(cuLibraryGetKernel)(&add, library, "nobody"), CUDA_ERROR_NOT_FOUND);
  CUdeviceptr p = upload(std::vector<uint32_t>(4, 8));
  unsigned n = 4;
  // A kernel is launched like a function, in whatever context is current.
  FINE(launch(reinterpret_cast<CUfunction>(add), 1, 4, {&p, &n}));
  EXPECT_THAT(download<uint32_t>(p, 4), Each(9u));
  FINE(CALL(cuLibraryUnload)(library));
  EXPECT_EQ(launch(reinterpret_cast<CUfunction>(add), 1, 4, {&p, &n}), CUDA_ERROR_INVALID_HANDLE);
}

// Each block adds to the first number, waits for all, and takes what is there.
constexpr const char* grid_kernel =
    ".version 7.0\n.target sm_60\n.address_size 64\n"
    ".extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 s);\n"
    ".extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 h, .param .b32 f);\n"
    ".visible .entry meet(.param .u64 a)\n{\n.reg .pred %q;\n.reg .b64 %p, %h, %o;\n.reg .b32 %x, %t, %z, "
    "%i;\n"
    "ld.param.u64 %p, [a];\nmov.u32 %t, %tid.x;\nmov.u32 %i, 0;\nmov.u32 %z, 1;\nsetp.ne.u32 %q, %t, 0;\n@%q "
    "mov.u32 %z, 0;\n"
    "again:\nred.global.add.u32 [%p], %z;\n"
    "{\n.param .b32 s;\n.param .b64 r;\nst.param.b32 [s], %i;\ncall.uni (r), cudaCGGetIntrinsicHandle, (s);\n"
    "ld.param.b64 %h, [r];\n}\n"
    "{\n.param .b64 h;\n.param .b32 f;\n.param .b32 r;\nst.param.b64 [h], %h;\nst.param.b32 [f], %i;\n"
    "call.uni (r), cudaCGSynchronize, (h, f);\n}\n"
    "add.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 3;\n@%q bra again;\n"
    "ld.volatile.global.u32 %x, [%p];\nmov.u32 %t, %ctaid.x;\nmul.wide.u32 %o, %t, 4;\nadd.u64 %p, %p, %o;\n"
    "st.global.u32 [%p+4], %x;\nret;\n}\n";

TEST_F(DriverCode, CooperativeGridsMeet) {
  CUdeviceptr p = upload(std::vector<uint32_t>(21));
  void* arguments[] = {&p};
  const CUfunction meet = load(grid_kernel, "meet");
  FINE(CALL(cuLaunchCooperativeKernel)(meet, 20, 1, 1, 64, 1, 1, 0, nullptr, arguments));
  EXPECT_THAT(download<uint32_t>(p, 21), Each(60u));
  EXPECT_EQ(CALL(cuLaunchCooperativeKernel)(meet, 1 << 20, 1, 1, 64, 1, 1, 0, nullptr, arguments),
            CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

TEST_F(DriverCode, TexturesAreRead) {
  const std::string text =
      ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry read(.param .u64 a, .param .u64 t)\n{\n"
      ".reg .b64 %p, %t, %o;\n.reg .b32 %i;\n.reg .f32 %x, %y, %z, %w, %u, %v;\nld.param.u64 %p, "
      "[a];\nld.param.u64 %t, [t];\n"
      "mov.u32 %i, %tid.x;\ncvt.rn.f32.u32 %u, %i;\nadd.f32 %u, %u, 0f3F000000;\nmov.f32 %v, 0f3FC00000;\n"
      "tex.2d.v4.f32.f32 {%x, %y, %z, %w}, [%t, {%u, %v}];\nmul.wide.u32 %o, %i, 4;\nadd.u64 %p, %p, %o;\n"
      "st.global.f32 [%p], %x;\nret;\n}\n";
  const CUDA_ARRAY_DESCRIPTOR descriptor{4, 2, CU_AD_FORMAT_FLOAT, 1};
  CUarray array = nullptr;
  FINE(CALL(cuArrayCreate_v2)(&array, &descriptor));
  const std::vector<float> texels{0, 1, 2, 3, 10, 11, 12, 13};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels.data();
  copy.srcPitch = 16;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 16;
  copy.Height = 2;
  FINE(CALL(cuMemcpy2D_v2)(&copy));
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how{};
  for (auto& mode : how.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject texture = 0;
  FINE(CALL(cuTexObjectCreate)(&texture, &resource, &how, nullptr));
  CUdeviceptr p = upload(std::vector<float>(6));
  FINE(launch(load(text, "read"), 1, 6, {&p, &texture}));
  EXPECT_THAT(download<float>(p, 6), testing::ElementsAre(10, 11, 12, 13, 13, 13));
  FINE(CALL(cuTexObjectDestroy)(texture));
  EXPECT_EQ(CALL(cuTexObjectDestroy)(texture), CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuArrayDestroy)(array));
}

}  // namespace THIS_FILE
}  // namespace warplens::test
