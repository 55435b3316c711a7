#include "app/user_program/given_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "app/user_program/recorded_run.h"
#include "core/base/hash.h"
#include "core/base/system/files.h"
#include "core/compile/compiler_log.h"
#include "core/system/places.h"

namespace warplens::program_run {

namespace {

namespace fs = std::filesystem;

constexpr size_t most_kept = 100;

// By the time of their last use.
void forget_the_oldest(const fs::path& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const auto& entry : fs::directory_iterator(folder, error))
    all.emplace_back(fs::last_write_time(entry.path(), error), entry.path());
  if (all.size() <= most_kept) return;
  std::ranges::sort(all);
  all.resize(all.size() - most_kept);
  for (const auto& [time, path] : all) fs::remove_all(path, error);
}

Result<std::string> file_in(const fs::path& folder, const std::string& text, const std::string& name) {
  const fs::path own = folder / fmt::format("{:016x}", hash_of(name + "\n" + text));
  const fs::path path = own / name;
  std::error_code error;
  if (const Result<std::string> there = read_text(path.string(), text.size() + 1); there && *there == text) {
    fs::last_write_time(own, fs::file_time_type::clock::now(), error);
    return path.string();
  }
  fs::create_directories(own, error);
  if (const Result<void> written = write_text(path.string(), text); !written) return written.error();
  forget_the_oldest(folder);
  return path.string();
}

// A run with limits of time and output.
Result<lesson::ProgramOutcome> run_once(const lesson::ProgramOrder& order, const Device& device,
                                        const lesson::ProgramTry& one, const std::stop_token& stop) {
  std::stop_source source;
  const std::stop_callback stops(stop, [&] { source.request_stop(); });
  lesson::ProgramOutcome outcome;
  const auto told = [&](const RunSoFar& so_far) {
    if (so_far.compiling) return;
    outcome.timed_out = so_far.seconds * 1000 > double(order.time.count());
    if (outcome.timed_out || so_far.prints_more) source.request_stop();
  };
  RecordedRun run;
  run.path = order.name;
  run.text = order.source;
  run.arguments = one.arguments;
  run.device = device;
  run.stream_order = one.stream_order;
  Result<RecordedEnd> end = run_recorded(run, told, source.get_token());
  if (!end) return end.error();
  if (stop.stop_requested()) return Error{ErrorKind::cancelled, "It was stopped."};
  outcome.compiles = end->compiles;
  if (!end->compiles) outcome.mistakes = mistakes_in(end->so_far.output.lines(), order.name);
  outcome.status = end->status;
  outcome.signal = end->signal;
  outcome.printed = std::move(end->so_far.printed);
  outcome.prints_too_much = end->so_far.prints_more;
  if (end->recording)
    outcome.recording = std::make_shared<const recording::Recording>(std::move(*end->recording));
  return outcome;
}

Result<std::vector<lesson::ProgramOutcome>> run_all(const lesson::ProgramOrder& order,
                                                    const std::stop_token& stop) {
  const Result<Device> device = find_device(order.device);
  if (!device) return device.error();
  std::vector<lesson::ProgramOutcome> all;
  for (const lesson::ProgramTry& one : order.runs) {
    Result<lesson::ProgramOutcome> outcome = run_once(order, *device, one, stop);
    if (!outcome) return outcome.error();
    all.push_back(std::move(*outcome));
    if (!all.back().compiles) break;
  }
  return all;
}

}  // namespace

Result<std::string> file_of_text(const std::string& text, const std::string& name) {
  if (const fs::path cache = cache_folder(); !cache.empty())
    if (Result<std::string> path = file_in(cache / "given", text, name); path) return path;
  std::error_code error;
  return file_in(fs::temp_directory_path(error) / "warplens-given", text, name);
}

lesson::RunsProgram runs_given_programs() { return run_all; }

std::vector<Diagnostic> mistakes_in(const std::vector<std::string>& said, const std::string& name) {
  std::string text;
  for (const std::string& line : said) text += line + "\n";
  std::vector<Diagnostic> all;
  for (Diagnostic& diagnostic : parse_nvrtc_log(text)) {
    if (diagnostic.severity == Severity::note || diagnostic.line == 0) continue;
    if (fs::path(diagnostic.file).filename() == name) all.push_back(std::move(diagnostic));
  }
  const bool fails = std::ranges::any_of(
      all, [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
  if (!fails) all.clear();
  return all;
}

}  // namespace warplens::program_run
