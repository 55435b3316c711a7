#include "app/window/restart.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/base/system/variable.h"
#include "core/system/own_process.h"

namespace warplens {
namespace {

constexpr const char* variable = "WARPLENS_RESTARTED";  // when, in seconds since 1970
constexpr long long apart_seconds = 30;                 // a window that is lost sooner will be lost again

long long now_seconds() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

long long began_at() {
  const std::string text = environment_variable(variable);
  long long seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return error == std::errc() && end == text.data() + text.size() ? seconds : 0;
}

}  // namespace

bool was_restarted() { return began_at() != 0; }

void restart(Shell& shell) {
  shell.keep_all();
  const long long now = now_seconds();
  const bool again = now - began_at() < apart_seconds;
  if (!again) {
    std::fprintf(stderr, "The graphics driver gave the window up; it is opened again.\n");
    restart_program(variable, std::to_string(now).c_str());
  }
  std::fprintf(
      stderr,
      "The graphics driver gave the window up%s. What you had chosen is kept for the next start. If it "
      "happens again, restart the machine, or draw on the processor: LIBGL_ALWAYS_SOFTWARE=1.\n",
      again ? " twice" : "");
  // Closing a window without a context, or joining threads that wait for the driver, might never return.
  std::_Exit(1);
}

}  // namespace warplens
