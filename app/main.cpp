// The program. It joins core, the command line and, if they were built, the window and the real GPUs.
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "app/built_commit.h"
#include "app/cli/shared/cli.h"
#include "app/user_program/given_program.h"
#include "core/base/system/slow_call.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/preflight.h"
#include "core/lesson/judge/judge_process.h"
#include "core/system/places.h"
#if WARPLENS_HAS_CUDA
#include "cuda/device/backend/child_process.h"
#include "cuda/device/backend/real_gpus.h"
#endif
#if WARPLENS_HAS_WINDOW
#if WARPLENS_HAS_CUDA
#include "cuda/device/live/live_gpu.h"
#include "cuda/device/live/make_live.h"
#endif
#include "app/cli/shared/window_start.h"
#include "app/window/graphics.h"
#include "app/window/window.h"
#endif

namespace {

#if WARPLENS_HAS_CUDA
warplens::FindRealGpus real_gpus() { return warplens::cuda::find_real_gpus; }

std::unique_ptr<warplens::Backend> make_backend() {
  return warplens::make_preflighted(warplens::make_virtual_gpu(),
                                    warplens::cuda::make_real_gpus(warplens::running_program()));
}
#else
warplens::FindRealGpus real_gpus() { return {}; }

std::unique_ptr<warplens::Backend> make_backend() {
  return warplens::make_preflighted(warplens::make_virtual_gpu(), nullptr);
}
#endif

#if WARPLENS_HAS_WINDOW
warplens::WindowOptions options_of(const warplens::WindowStart& start) {
  warplens::WindowOptions options;
  options.kernel = start.kernel;
  options.device = start.device;
  options.image = start.image;
#if WARPLENS_HAS_CUDA
  options.make_live = warplens::cuda::make_live;
#endif
  options.file = start.file;
  options.lesson = start.lesson;
  options.challenge = start.challenge;
  options.block = start.block;
  options.theme = start.theme;
  options.text_scale = start.text_scale;
  options.language = start.language;
  options.author = start.author;
  options.width = start.width;
  options.height = start.height;
  options.class_link = start.class_link;
  options.student = start.student;
  options.exit_after_first_picture = start.exit_after_first_picture;
  options.started = start.started;
  if (start.notes) options.say_notes = [](const std::string& notes) { std::cout << notes << std::flush; };
  options.make_backend = make_backend;
  options.real_gpus = real_gpus();
  options.judge_program = warplens::program_path().string();
  return options;
}

int open(const warplens::WindowStart& start) { return warplens::open_window(options_of(start)); }

warplens::Result<warplens::Image> render(const warplens::WindowStart& start) {
  return warplens::render_window(options_of(start));
}
#endif

// Everything is written and saved by now. If a kernel never ended or the driver never answered, a normal
// exit would wait for it.
int leave(int status) {
  bool stuck = warplens::slow_calls_left();
#if WARPLENS_HAS_CUDA && WARPLENS_HAS_WINDOW
  stuck = stuck || warplens::cuda::live_kernel_left_running();
#endif
  if (!stuck) return status;
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(status);
}

}  // namespace

int main(int argc, char** argv) {
#if WARPLENS_HAS_CUDA
  if (const auto status = warplens::cuda::run_as_worker(argc, argv)) return *status;
#endif
  if (const auto status =
          warplens::lesson::run_as_judge(argc, argv, warplens::program_run::runs_given_programs()))
    return *status;
  warplens::Cli cli{std::cout, std::cerr, make_backend, {}, {}, warplens::exit_status::done};
  cli.real_gpus = real_gpus();
  cli.commit = warplens::built_commit();
#if WARPLENS_HAS_WINDOW
  cli.open_window = open;
  cli.render_window = render;
  cli.find_graphics = warplens::find_graphics;
#endif
  return leave(warplens::run_cli(argc, argv, cli));
}
