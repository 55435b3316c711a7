// From saving an own kernel's file to the result of its run, on the same path as in the window: the watcher
// of the file, the compiler, the run. The time of NVRTC itself is a separate counter.
#include <benchmark/benchmark.h>

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>

#include "app/state/update.h"
#include "app/worker/drive.h"
#include "app/worker/file_watch.h"
#include "core/compile/compiler.h"
#include "tests/bench/benches.h"

namespace warplens::bench {

namespace {

using Clock = std::chrono::steady_clock;

class Bell {
 public:
  void ring() {
    const std::lock_guard lock(m_mutex);
    m_rung = true;
    m_heard.notify_all();
  }
  void wait() {
    std::unique_lock lock(m_mutex);
    m_heard.wait_for(lock, std::chrono::milliseconds(200), [this] { return m_rung; });
    m_rung = false;
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_heard;
  bool m_rung = false;
};

class Saver {
 public:
  Saver() : m_state(*initial_state("vector_add", "")) {
    write();
    update(m_state, OpenFile{m_path.string()});
    until_shown();
  }
  ~Saver() {
    std::error_code error;
    std::filesystem::remove(m_path, error);
  }

  // Writes a kernel that has not been compiled yet.
  void write() {
    std::ofstream(m_path) << "// warplens: x=float32[n] index, out=float32[n] zero, n=10000\n"
                          << "extern \"C\" __global__ void scaled(const float* x, float* out, int n) {\n"
                          << "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                          << "  if (i < n) out[i] = " << ++m_saved << ".f * sqrtf(x[i]) + expf(-x[i]);\n}\n";
  }
  // Seconds of the compiler in the result that is shown then; empty: it did not come.
  std::optional<double> until_shown() {
    const auto end = Clock::now() + std::chrono::seconds(20);
    const std::string wanted = std::to_string(m_saved) + ".f *";
    while (Clock::now() < end) {
      m_watch.watch(m_state.code.own ? m_state.code.path : std::string());
      if (auto changed = m_watch.take())
        m_actions.push(ReloadSource{changed->first, std::move(changed->second)});
      drive(m_state, m_actions, m_environment, m_memory);
      const bool shown = m_state.runs.result && m_state.runs.now.wanted == 0 &&
                         m_state.runs.result->request &&
                         m_state.runs.result->request->module->source.find(wanted) != std::string::npos;
      if (shown) return m_state.code.compile_ms;
      m_bell.wait();
    }
    return std::nullopt;
  }

 private:
  std::filesystem::path m_path =
      std::filesystem::temp_directory_path() / ("warplens_save_bench_" + std::to_string(::getpid()) + ".cu");
  int m_saved = 0;
  Bell m_bell;
  AppState m_state;
  Actions m_actions;
  DriveMemory m_memory;
  RunQueue m_queue{make_worker_calls(), [this] { m_bell.ring(); }};
  FileWorker m_files{nullptr};
  Environment m_environment{m_queue, m_files};
  FileWatch m_watch{[this] { m_bell.ring(); }};
};

void save_to_result(benchmark::State& state) {
  Saver saver;
  double compile_ms = 0, longest_ms = 0;
  for (auto _ : state) {
    const auto start = Clock::now();
    saver.write();
    const std::optional<double> compiled = saver.until_shown();
    if (!compiled) {
      state.SkipWithError("no result came: is there a compiler?");
      break;
    }
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    compile_ms += *compiled;
    longest_ms = std::max(longest_ms, took.count());
    state.SetIterationTime(took.count() / 1000);
  }
  const auto count = static_cast<double>(std::max<int64_t>(state.iterations(), 1));
  state.counters["compile_ms"] = compile_ms / count;
  state.counters["longest_ms"] = longest_ms;
}

}  // namespace

void register_saves() {
  benchmark::RegisterBenchmark("save a kernel's file until its result is there", save_to_result)
      ->UseManualTime()
      ->Iterations(10)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace warplens::bench
