#include "core/system/picture_clipboard.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/base/system/variable.h"
#include "core/system/process.h"

namespace warplens {

namespace {

// Both continue in the background until something else is copied, so they must not keep any stream of this
// process open. 127 means that the shell found no such program.
struct Helper {
  const char *variable, *package, *command;
};
constexpr Helper helpers[] = {
    {"WAYLAND_DISPLAY", "wl-clipboard", "exec wl-copy --type image/png <\"$0\" >/dev/null 2>&1"},
    {"DISPLAY", "xclip", "exec xclip -selection clipboard -target image/png -in \"$0\" >/dev/null 2>&1"},
};
constexpr int not_found = 127;

}  // namespace

Result<void> copy_png(const std::string& path) {
  const Helper* missing_one = nullptr;
  for (const Helper& helper : helpers) {
    if (environment_variable(helper.variable).empty()) continue;
    const Result<ProcessEnd> end =
        run_told({{"/bin/sh", "-c", helper.command, path}}, [](std::string_view) {});
    if (!end) return end.error();
    if (end->status == 0) return {};
    if (end->status != not_found)
      return failed(fmt::format("The desktop did not take the picture ({}, status {}). Save it instead.",
                                helper.package, end->status));
    if (missing_one == nullptr) missing_one = &helper;
  }
  if (missing_one == nullptr) return missing("There is no desktop to copy to. Save the picture instead.");
  return missing(fmt::format("Copying pictures needs a helper of the desktop: sudo apt-get install {}",
                             missing_one->package));
}

}  // namespace warplens
