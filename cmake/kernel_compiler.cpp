// kernel_compiler NVRTC INCLUDE_PATH SOURCE.cu OUT.ptx: compiles one built-in kernel while the program is
// being built. If NVRTC or INCLUDE_PATH is empty, it is where the program itself would find it.
// tests/data/golden/remake_ptx.sh calls it too.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/compile/nvrtc.h"

namespace {

int fail(const std::string& message) {
  fmt::print(stderr, "kernel_compiler: {}\n", message);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return fail("usage: kernel_compiler NVRTC INCLUDE_PATH SOURCE.cu OUT.ptx");
  std::error_code none;
  const std::filesystem::path source_path = std::filesystem::absolute(argv[3], none),
                              ptx_path = std::filesystem::absolute(argv[4], none);
  // NVRTC names its own headers by the folder in which it runs. A fixed folder gives the same PTX
  // everywhere.
  std::filesystem::current_path(source_path.root_path(), none);

  std::ifstream input(source_path, std::ios::binary);
  const std::string source(std::istreambuf_iterator<char>(input), {});
  if (!input) return fail(fmt::format("cannot read {}", argv[3]));

  warplens::CompileOptions options;
  if (*argv[2]) options.include_directories = {argv[2]};
  const warplens::Result<warplens::Nvrtc> nvrtc = warplens::load_nvrtc(argv[1]);
  if (!nvrtc) return fail(nvrtc.error().message);
  auto compilation = warplens::compile_with_nvrtc(*nvrtc, source, source_path.filename().string(), options);
  if (!compilation) return fail(compilation.error().message);
  // Built-in kernels must compile without any message.
  if (!compilation->ok || !compilation->diagnostics.empty()) return fail(compilation->log);

  std::ofstream output(ptx_path, std::ios::binary);
  output << compilation->ptx << std::flush;
  if (!output) return fail(fmt::format("cannot write {}", argv[4]));
  return 0;
}
