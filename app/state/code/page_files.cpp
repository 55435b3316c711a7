#include "app/state/code/page_files.h"

#include <filesystem>

#include "app/state/code/offered_code.h"
#include "app/state/state.h"

namespace warplens {

namespace {

std::string name_in(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string what_opens(const AppState& state) {
  return lacks_compiler(state)
             ? "Here you can open PTX (.ptx), pictures, sessions (.json) and recordings (.warplens)."
             : "Here you can open kernels (.cu, .ptx), pictures, sessions (.json) and recordings "
               "(.warplens).";
}

}  // namespace

Notify no_program_in_a_page(const AppState& state, const std::string& path) {
  return {ProblemLevel::error, name_in(path) + " is a program, and programs run where WarpLens is installed",
          what_opens(state), NoticeKind::opening};
}

Notify no_kernel_in_a_page(const AppState& state, const std::string& path) {
  return {ProblemLevel::error, name_in(path) + " was not opened, since this page has no compiler",
          "Open it where WarpLens is installed. " + what_opens(state), NoticeKind::opening};
}

}  // namespace warplens
