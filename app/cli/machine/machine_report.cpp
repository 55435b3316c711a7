#include "app/cli/machine/machine_report.h"

#include <fmt/format.h>

#include <thread>

#include "app/user_program/program_compiler.h"
#include "core/compile/clang.h"
#include "core/compile/found.h"
#include "core/compile/locations.h"
#include "core/gpu/exec/isa/isa.h"
#include "core/image/image.h"
#include "core/lesson/judge/sandbox.h"
#include "core/system/capabilities.h"
#include "core/system/places.h"
#include "warplens_config.h"

namespace warplens {

namespace {

std::string counted(size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

MachinePart program_part(const Cli& cli) {
  const std::string built = cli.commit.empty() ? "" : fmt::format(" ({})", cli.commit);
  return {"program", fmt::format("warplens {}{}", config::version, built), program_path().string(), ""};
}

MachinePart machine_part() {
  return {
      "machine",
      fmt::format("{}, {}, lanes in {}", system_name(),
                  counted(std::thread::hardware_concurrency(), "processor thread"), exec::best_ops_name()),
      "", ""};
}

MachinePart tool_part(std::string name, const char* title, const Result<FoundTool>& tool) {
  if (!tool) return {std::move(name), "", "", tool.error().message};
  return {std::move(name), fmt::format("{} {}", title, tool->version), tool->path, ""};
}

// It compiles CUDA C++ if NVRTC is absent, or if the user asks for it.
MachinePart clang_part() {
  const Result<Clang> clang = find_clang();
  if (!clang) return {"clang", "", "", clang.error().message};
  if (!clang->libclc.empty()) return {"clang", "clang " + clang->version + " with libclc", clang->path, ""};
  return {"clang", "clang " + clang->version, clang->path,
          "libclc is not on this machine, so kernels that call sinf, expf and the like do not compile with "
          "clang. " +
              how_to_get_libclc(*clang)};
}

// What compiles a file in CUDA C++ with a main(), and the nvcc of Makefiles.
MachinePart programs_part() {
  const Result<nvcc::ProgramCompiler> compiler = nvcc::find_program_compiler();
  if (!compiler) return {"programs", "", "", compiler.error().message};
  if (compiler->clang)
    return {"programs", "programs with a main() by clang " + compiler->clang->version, compiler->clang->path,
            ""};
  return {"programs", "programs with a main() by nvcc and g++", compiler->nvcc, ""};
}

// What keeps answers of others apart from the rest of this machine.
MachinePart grading_part() {
  const Result<void> sandbox = lesson::sandbox_works();
  if (sandbox) return {"grading", "answers of others are judged in bubblewrap", "", ""};
  if (const Result<OtherUser> user = lesson::judge_user())
    return {"grading", "answers of others are judged as another user", "", ""};
  return {"grading", "", "", "Answers of others are not run: " + sandbox.error().message};
}

MachinePart headers_part() {
  const std::vector<std::string> folders = cuda_include_directories();
  if (folders.empty())
    return {"headers", "", "",
            "CUDA's headers are not on this machine, so a kernel that includes one (cuda_fp16.h, "
            "cooperative_groups.h) "
            "does not compile; all others do. Run warplens fetch to bring them, or point "
            "WARPLENS_CUDA_INCLUDE_DIRS at "
            "their folder."};
  return {"headers", "CUDA's headers", folders.front(), ""};
}

MachinePart graphics_part(const Cli& cli) {
  if (!cli.find_graphics)
    return {"graphics", "", "", "This program was built without a window; all commands work."};
  const Result<std::string> driver = cli.find_graphics();
  return driver ? MachinePart{"graphics", *driver, "", ""}
                : MachinePart{"graphics", "", "", driver.error().message};
}

MachinePart gpu_part(const Cli& cli) {
  const RealGpus gpus = find_real_gpus(cli.real_gpus);
  if (gpus.devices.empty())
    return {"GPU", "", "", gpus.none + " Kernels run on the virtual GPU, with the same results."};
  std::string names;
  for (const Device& device : gpus.devices)
    names += fmt::format("{}{} ({}, compute capability {}.{})", names.empty() ? "" : ", ", device.name,
                         device.id, device.compute_capability.major, device.compute_capability.minor);
  return {"GPU", names, "", ""};
}

MachinePart photos_part() {
  const std::vector<SamplePhoto> photos = sample_photos();
  if (photos.empty())
    return {"photographs", "", "",
            "The sample photographs are not on this machine, so the program draws a sample picture of its "
            "own instead. warplens fetch photos brings them, and so does pip install with [photos]; or point "
            "WARPLENS_PHOTOS_DIR at their folder."};
  return {"photographs", counted(photos.size(), "sample photograph"),
          std::filesystem::path(photos.front().path).parent_path().string(), ""};
}

}  // namespace

std::vector<MachinePart> machine_parts(const Cli& cli) {
  return {program_part(cli),
          machine_part(),
          tool_part("compiler", "NVRTC", find_compiler()),
          clang_part(),
          programs_part(),
          grading_part(),
          headers_part(),
          tool_part("assembler", "ptxas", find_assembler()),
          tool_part("older GPUs", "ptxas", find_older_assembler()),
          graphics_part(cli),
          gpu_part(cli),
          photos_part()};
}

std::string version_text(const Cli& cli) {
  std::string text;
  for (const MachinePart& part : machine_parts(cli)) {
    const bool first = text.empty();
    const std::string found = part.found.empty() ? "none" : part.found;
    text += first ? found + "\n" : fmt::format("  {:<12}{}\n", part.name, found);
  }
  return text + "warplens doctor lists where these are, and how to get missing ones.\n";
}

}  // namespace warplens
