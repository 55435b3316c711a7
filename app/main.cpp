// The program: joins core, the command line and, where they were built, the window and the real GPUs.
#include <cstdlib>
#include <iostream>

#include "app/cli/cli.h"
#include "core/backend/preflight.h"
#if WARPLENS_HAS_CUDA
#include "cuda/child_process.h"
#include "cuda/real_gpus.h"
#endif
#if WARPLENS_HAS_WINDOW
#if WARPLENS_HAS_CUDA
#include "cuda/live_gpu.h"
#include "cuda/make_live.h"
#endif
#include "app/cli/window_start.h"
#include "app/window/window.h"
#endif

namespace {

#if WARPLENS_HAS_CUDA
warplens::FindRealGpus real_gpus() { return warplens::cuda::find_real_gpus; }

std::unique_ptr<warplens::Backend> make_backend() {
  return warplens::make_preflighted(warplens::make_virtual_gpu(),
                                    warplens::cuda::make_real_gpus(warplens::cuda::own_program()));
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
  options.block = start.block;
  options.theme = start.theme;
  options.text_scale = start.text_scale;
  options.width = start.width;
  options.height = start.height;
  options.exit_after_first_picture = start.exit_after_first_picture;
  options.started = start.started;
  options.make_backend = make_backend;
  options.real_gpus = real_gpus();
  return options;
}

int open(const warplens::WindowStart& start) {
  const int status = warplens::open_window(options_of(start));
#if WARPLENS_HAS_CUDA
  // The window is closed and all is saved; the driver would wait at the process's end for a kernel that never
  // ends.
  if (warplens::cuda::live_kernel_left_running()) std::_Exit(status);
#endif
  return status;
}

warplens::Result<warplens::Image> render(const warplens::WindowStart& start) {
  return warplens::render_window(options_of(start));
}
#endif

}  // namespace

int main(int argc, char** argv) {
#if WARPLENS_HAS_CUDA
  if (const auto status = warplens::cuda::run_as_worker(argc, argv)) return *status;
#endif
  warplens::Cli cli{std::cout, std::cerr, make_backend, {}, {}, warplens::exit_status::done};
  cli.real_gpus = real_gpus();
#if WARPLENS_HAS_WINDOW
  cli.open_window = open;
  cli.render_window = render;
#endif
  return warplens::run_cli(argc, argv, cli);
}
