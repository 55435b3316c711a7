#include "app/window/window.h"

#include <cmath>
#include <cstdio>
#include <thread>

#include "app/host/window.h"
#include "app/window/restart.h"
#include "app/window/shell.h"
#include "app/window/waiting.h"
#include "core/base/system/between_frames.h"

namespace warplens {
namespace {

using Clock = std::chrono::steady_clock;

int status_of(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return error.kind == ErrorKind::missing ? 3 : error.kind == ErrorKind::bad_input ? 2 : 1;
}

void report_first_picture(Clock::time_point started) {
  const std::chrono::duration<double, std::milli> since = Clock::now() - started;
  std::fprintf(stderr, "first picture after %.0f ms\n", since.count());
}

// The calls that open a window cannot be cancelled.
constexpr const char* opening =
    "Waiting for the graphics driver to open the window. After a kernel of any program faulted on the same "
    "GPU, it can take half a minute.";

}  // namespace

int open_window(const WindowOptions& options) {
  auto waiting = std::make_shared<Waiting>(opening);
  auto shell = Shell::open(options, make_worker_calls(options.make_backend(), options.real_gpus), true,
                           options.remember ? config_folder() : std::filesystem::path());
  if (!shell) return status_of(shell.error());
  // It has what it needs with it, since a page goes on with it after this function.
  host::run([waiting = std::move(waiting), shown = std::shared_ptr<Shell>(std::move(*shell)),
             until_first_picture = options.exit_after_first_picture, started = options.started]() mutable {
    shown->wait_for_events(HUGE_VAL);
    shown->frame();
    waiting.reset();  // the driver may also hold up the first frame
    if (shown->window().lost()) restart(*shown);
    if (!until_first_picture || !shown->shows_a_picture()) return !shown->closed();
    report_first_picture(started);
    return false;
  });
  return 0;
}

Result<Image> render_window(const WindowOptions& options) {
  std::optional<Waiting> waiting(opening);
  auto opened = Shell::open(options, make_worker_calls(options.make_backend(), options.real_gpus), false, {});
  if (!opened) return opened.error();
  Shell& shell = **opened;
  constexpr auto patience = std::chrono::seconds(60);
  const auto end = Clock::now() + patience;
  // Draws some further frames, since docks and scroll bars need several to find their places.
  for (int still = 0; still < 12 && Clock::now() < end;) {
    shell.window().wait_for_events(0);
    shell.frame();
    waiting.reset();
    still = shell.settled() ? still + 1 : 0;
    if (still == 0 && !work_between_frames()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  Image picture;
  shell.window().capture_next([&](Image image) { picture = std::move(image); });
  shell.frame();
  return picture;
}

}  // namespace warplens
