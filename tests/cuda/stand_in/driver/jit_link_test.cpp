// The linker under the name of NVIDIA's nvJitLink: PTX is linked by the driver, LTO-IR by NVIDIA's own
// linker, which tests/cuda/stand_in/driver/nvidia_linker.c replaces here.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include "cuda/stand_in/driver/linker/jit_link.h"
#include "tests/cuda/stand_in/driver/library.h"
#include "tests/paths.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;

constexpr int cubin = 1, ptx = 2, lto_ir = 3, any = 10;

template <class Function>
Function in_linker(const char* name) {
  static void* library = [] {
    set_variable("WARPLENS_NVJITLINK_13",
                 (test_files::binary_dir() / "libwarplens_nvidia_linker.so").string());
    return dlopen((test_files::binary_dir() / "driver" / "linker" / "libnvJitLink.so.13").c_str(), RTLD_NOW);
  }();
  return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

#define LINKER(name) in_linker<decltype(&warplens_nvJitLink##name)>("nvJitLink" #name)
// Those that are told by their own name where NVIDIA's library is.
#define VERSION in_linker<int (*)(unsigned*, unsigned*)>("nvJitLinkVersion")
#define CREATE in_linker<int (*)(void**, uint32_t, const char**)>("nvJitLinkCreate")

class DriverJitLink : public DriverTest {
 public:
  void SetUp() override {
    if (is_relayed()) GTEST_SKIP() << "programs on a real GPU have NVIDIA's linker";
    begin();
    ASSERT_NE(CREATE, nullptr) << "build the target warplens_linker_13";
    create({"-arch=sm_86"});
  }
  void TearDown() override {
    if (link == nullptr) return;
    EXPECT_EQ(LINKER(Destroy)(&link), 0);
    EXPECT_EQ(link, nullptr);
  }
  void create(std::vector<const char*> options) {
    if (link != nullptr) LINKER(Destroy)(&link);
    ASSERT_EQ(CREATE(&link, static_cast<uint32_t>(options.size()), options.data()), 0);
  }
  int add(int type, const std::string& bytes, const char* name = "a text") {
    return LINKER(AddData)(link, type, bytes.data(), bytes.size(), name);
  }
  std::string error() { return text(LINKER(GetErrorLogSize), LINKER(GetErrorLog)); }
  std::string information() { return text(LINKER(GetInfoLogSize), LINKER(GetInfoLog)); }
  std::string linked() {
    size_t size = 0;
    EXPECT_EQ(LINKER(GetLinkedCubinSize)(link, &size), 0);
    std::string bytes(size, 'x');
    EXPECT_EQ(LINKER(GetLinkedCubin)(link, bytes.data()), 0);
    return bytes.c_str();
  }
  template <class Size, class Read>
  std::string text(Size size_of, Read read) {
    size_t size = 0;
    EXPECT_EQ(size_of(link, &size), 0);
    std::string log(size + 1, '\0');
    EXPECT_EQ(read(link, log.data()), 0);
    return log.c_str();
  }
  void* link = nullptr;
};

const std::string head = ".version 7.0\n.target sm_50\n.address_size 64\n";
const std::string declaration = ".extern .func (.param .u32 r) twice(.param .u32 x);\n";
const std::string caller =
    declaration +
    ".visible .entry call(.param .u64 a)\n{\n.reg .b64 %p;\n.reg .b32 %x;\n.param .b32 in, out;\n"
    "ld.param.u64 %p, [a];\nld.global.u32 %x, [%p];\nst.param.b32 [in], %x;\n"
    "call.uni (out), twice, (in);\nld.param.b32 %x, [out];\nst.global.u32 [%p], %x;\nret;\n}\n";
const std::string callee =
    ".visible .func (.param .u32 r) twice(.param .u32 x)\n{\n.reg .b32 %y;\nld.param.u32 %y, [x];\n"
    "add.u32 %y, %y, %y;\nst.param.u32 [r], %y;\nret;\n}\n";

std::string as_lto_ir(const std::string& text) { return "\xed\x43\x4e\x7f" + text; }

TEST_F(DriverJitLink, SaysTheVersionOfNvidiasOwn) {
  unsigned major = 0, minor = 0;
  EXPECT_EQ(VERSION(&major, &minor), 0);
  EXPECT_EQ(major, 13u);
  EXPECT_EQ(minor, 7u);
}

TEST_F(DriverJitLink, PtxAndLtoIrBecomeOneModuleThatRuns) {
  for (const bool lto_calls : {false, true}) {
    create({"-arch=sm_86", "-lto"});
    ASSERT_EQ(add(ptx, head + (lto_calls ? callee : caller)), 0);
    ASSERT_EQ(add(lto_ir, as_lto_ir(head + (lto_calls ? caller : callee))), 0);
    ASSERT_EQ(LINKER(Complete)(link), 0) << error();
    CUdeviceptr p = upload(std::vector<uint32_t>{21});
    FINE(launch(load(linked(), "call"), 1, 1, {&p}));
    EXPECT_EQ(download<uint32_t>(p, 1)[0], 42u);
  }
}

TEST_F(DriverJitLink, LtoIrAloneIsAskedForAsPtxWithItsLines) {
  create({"-arch=sm_86"});
  ASSERT_EQ(add(any, as_lto_ir(head)), 8);
  EXPECT_THAT(error(), HasSubstr("no PTX"));
  ASSERT_EQ(add(lto_ir, as_lto_ir(head + callee)), 0);
  ASSERT_EQ(LINKER(Complete)(link), 0);
  EXPECT_EQ(information(), "-arch=sm_86 -lto -ptx -lineinfo ");
  EXPECT_THAT(linked(), HasSubstr("twice"));
  create({"-arch=sm_86", "-lto", "-g"});
  ASSERT_EQ(add(lto_ir, as_lto_ir(head + callee)), 0);
  ASSERT_EQ(LINKER(Complete)(link), 0);
  EXPECT_EQ(information(), "-arch=sm_86 -lto -g -ptx ");
}

TEST_F(DriverJitLink, MistakesHaveTheirCodeAndALog) {
  const char* nonsense[] = {"-nonsense"};
  void* none = nullptr;
  EXPECT_EQ(CREATE(&none, 1, nonsense), 1);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(LINKER(Complete)(link), 4);
  EXPECT_THAT(error(), HasSubstr("nothing to link"));
  EXPECT_EQ(LINKER(AddData)(link, ptx, "", 0, "empty"), 10);
  EXPECT_EQ(LINKER(AddFile)(link, any, "no such file"), 3);
  // Machine code has no PTX to run.
  EXPECT_EQ(add(cubin,
                "\x7f"
                "ELF and so on",
                "machine code"),
            8);
  EXPECT_THAT(error(), HasSubstr("machine code: This input of the linker has machine code and no PTX"));
  ASSERT_EQ(add(ptx, head + callee, "one"), 0);
  ASSERT_EQ(add(ptx, head + callee, "two"), 0);
  EXPECT_EQ(LINKER(Complete)(link), 4);
  EXPECT_THAT(error(), HasSubstr("twice is defined in one and in two"));
  create({"-arch=sm_86", "-lto"});
  ASSERT_EQ(add(lto_ir, as_lto_ir("// refuse\n")), 0);
  EXPECT_EQ(LINKER(Complete)(link), 5);
  EXPECT_EQ(error(), "it refuses");
}

TEST_F(DriverJitLink, TheLimitOfRegistersIsPartOfTheResult) {
  create({"-arch=sm_86", "-maxrregcount=24"});
  ASSERT_EQ(add(ptx, head + callee), 0);
  ASSERT_EQ(LINKER(Complete)(link), 0);
  EXPECT_THAT(linked(), HasSubstr("at most this many registers a thread: 24"));
  create({"-arch=sm_86"});
  ASSERT_EQ(add(ptx, head + callee), 0);
  ASSERT_EQ(LINKER(Complete)(link), 0);
  EXPECT_THAT(linked(), Not(HasSubstr("registers a thread")));
}

}  // namespace THIS_FILE
}  // namespace warplens::test
