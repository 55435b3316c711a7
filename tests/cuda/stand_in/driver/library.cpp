#include "tests/cuda/stand_in/driver/library.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "tests/paths.h"

namespace warplens::test {

// With WARPLENS_TEST_DRIVER=relay, the relay library, with our driver in place of NVIDIA's: every test is
// valid there too.
void* symbol(const char* name) {
  static void* library = [] {
    if (is_relayed())
      set_variable("WARPLENS_PROGRAM_NEXT", (test_files::binary_dir() / "driver" / "libcuda.so.1").string());
    return dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  }();
  return library == nullptr ? nullptr : dlsym(library, name);
}

std::string library_path() {
  return (test_files::binary_dir() / (is_relayed() ? "relay" : "driver") / "libcuda.so.1").string();
}

bool is_relayed() {
  const char* chosen = getenv("WARPLENS_TEST_DRIVER");
  return chosen != nullptr && std::string(chosen) == "relay";
}

void set_variable(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

void DriverTest::begin() {
  ASSERT_NE(symbol("cuInit"), nullptr) << "build the target warplens_driver";
  FINE(CALL(cuInit)(0));
  FINE(CALL(cuDevicePrimaryCtxRetain)(&context, 0));
  FINE(CALL(cuCtxSetCurrent)(context));
}

CUfunction DriverTest::load(const std::string& ptx, const char* entry) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  EXPECT_EQ(CALL(cuModuleLoadData)(&module, ptx.c_str()), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuModuleGetFunction)(&function, module, entry), CUDA_SUCCESS);
  return function;
}

CUresult DriverTest::launch(CUfunction function, unsigned blocks, unsigned threads,
                            std::vector<void*> arguments, unsigned shared) {
  return CALL(cuLaunchKernel)(function, blocks, 1, 1, threads, 1, 1, shared, nullptr, arguments.data(),
                              nullptr);
}

std::string kernel(const std::string& name, const std::string& body, const std::string& in_front) {
  return ".version 7.0\n.target sm_50\n.address_size 64\n" + in_front + "\n.visible .entry " + name +
         "(.param .u64 a, .param .u32 b)\n{\n.reg .pred %q;\n.reg .b32 %n, %i, %t, %x, %y;\n.reg .b64 %p, "
         "%o, %a;\n"
         "ld.param.u64 %p, [a];\nld.param.u32 %n, [b];\nmov.u32 %i, %ctaid.x;\nmov.u32 %t, %ntid.x;\n"
         "mul.lo.u32 %i, %i, %t;\nmov.u32 %t, %tid.x;\nadd.u32 %i, %i, %t;\nmul.wide.u32 %o, %i, 4;\n" +
         body + "\nret;\n}\n";
}

const char* const add_one =
    "setp.ge.u32 %q, %i, %n;\n@%q ret;\nadd.u64 %a, %p, %o;\nld.global.u32 %x, [%a];\nadd.u32 %x, %x, 1;\n"
    "st.global.u32 [%a], %x;";

}  // namespace warplens::test
