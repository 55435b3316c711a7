// The way from a saved file to its new result, with a compiler that takes 100 ms: what the rest takes is
// printed.
#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include "app/state/update.h"
#include "app/worker/drive.h"
#include "app/worker/file_watch.h"
#include "core/base/system/embedded.h"

namespace warplens {
namespace THIS_FILE {

using Clock = std::chrono::steady_clock;

WorkerCalls slow_compiler() {
  WorkerCalls engine = make_worker_calls();
  engine.resources = nullptr;
  engine.compile = [](const CompileOrder& order, std::stop_token) -> Result<CompiledKernel> {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::string source = order.source;
    if (order.from_file) {
      std::ifstream file(order.path);
      source.assign(std::istreambuf_iterator<char>(file), {});
    }
    CompiledKernel compiled;
    compiled.source = source;
    compiled.name = "add.cu";
    compiled.path = order.path;
    compiled.compile_ms = 100;
    compiled.own = describe_own_kernel(
        {source, "add.cu", order.path, std::string(find_embedded("kernels/vector_add.ptx")), ""});
    return compiled;
  };
  return engine;
}

TEST(SaveToResult, ASavedFileIsNoticedCompiledAndRun) {
  const auto path =
      std::filesystem::temp_directory_path() / ("warplens_saved_" + std::to_string(::getpid()) + ".cu");
  const std::string kernel(find_embedded("kernels/vector_add.cu"));
  const auto write = [&](const std::string& mark) {
    std::ofstream(path) << "// warplens: n=1000\n" << kernel << mark;
  };
  write("");
  AppState state = *initial_state("vector_add", "");
  update(state, OpenFile{path.string()});
  Actions actions;
  DriveMemory memory;
  RunQueue queue(slow_compiler(), nullptr);
  FileWorker files(nullptr);
  Environment environment{queue, files};
  FileWatch watch(nullptr);
  const auto shown = [&](const std::string& mark) {
    return state.runs.result && state.runs.now.wanted == 0 && state.setup.own_kernel &&
           state.setup.own_kernel->source.find(mark) != std::string::npos &&
           state.runs.result->request->module->source.find(mark) != std::string::npos;
  };
  const auto until = [&](const std::string& mark) {
    const auto end = Clock::now() + std::chrono::seconds(20);
    while (!shown(mark) && Clock::now() < end) {
      watch.watch(state.code.own ? state.code.path : std::string());
      if (auto changed = watch.take()) actions.push(ReloadSource{changed->first, std::move(changed->second)});
      drive(state, actions, environment, memory);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  until("vector_add");
  ASSERT_TRUE(shown("vector_add"));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the watcher knows the file by now
  const auto start = Clock::now();
  write("// saved again\n");
  until("// saved again");
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  EXPECT_TRUE(shown("// saved again"));
  std::cout << "from saving to the new result: " << took.count() << " ms, 100 ms of them the compiler\n";
  std::filesystem::remove(path);
}

}  // namespace THIS_FILE
}  // namespace warplens
