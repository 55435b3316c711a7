#include "core/streams/conflict_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/figures.h"
#include "core/base/text.h"
#include "core/recording/event.h"
#include "core/recording/launch_source.h"

namespace warplens::streams {

namespace {

constexpr uint32_t most_lines_of_a_call = 8;

bool is_python(const recording::HostPlace* place) { return place != nullptr && place->file.ends_with(".py"); }

std::string call_at(const recording::HostPlace* place) {
  if (place == nullptr || place->line == 0) return {};
  const recording::SourceText source = recording::read_lines(place->file);
  std::string call;
  const char* ends = is_python(place) ? ")" : ";";
  for (uint32_t line = place->line; line <= source.lines.size() && line < place->line + most_lines_of_a_call;
       ++line) {
    call += source.lines[line - 1];
    if (call.find(ends) != call.npos) break;
  }
  return call;
}

// The arguments between the bracket before `at` and its end.
std::vector<std::string_view> arguments_at(std::string_view text, size_t at, std::string_view end) {
  std::vector<std::string_view> found;
  int depth = 0;
  size_t begin = at;
  for (; at < text.size(); ++at) {
    if (depth == 0 && text.substr(at).starts_with(end)) {
      found.push_back(trimmed(text.substr(begin, at - begin)));
      return found;
    }
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') ++depth;
    if (text[at] == ')' || text[at] == ']' || text[at] == '}') --depth;
    if (depth != 0 || text[at] != ',') continue;
    found.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  return {};
}

bool is_short_name(std::string_view text) {
  constexpr size_t longest = 24;
  return !text.empty() && text.size() <= longest && text.find_first_of("\"'=") == text.npos && text != "0" &&
         text != "nullptr" && text != "NULL";
}

std::string stream_name(const Operation& operation) {
  if (operation.stream == 0) return {};
  return stream_argument(call_at(operation.place), is_python(operation.place));
}

std::string stream_words(const Operation& operation) {
  if (operation.stream == 0)
    return operation.device ? fmt::format("the default stream of device {}", *operation.device)
                            : std::string("the default stream");
  std::string name = stream_name(operation);
  if (name.find("stream") != name.npos) return name;
  return fmt::format("stream {}", name.empty() ? std::to_string(operation.stream) : name);
}

// "the kernel add", "the copy device to host".
std::string name_of(const Operation& operation) {
  switch (operation.kind) {
    case Operation::Kind::kernel:
      return fmt::format("the kernel {}", operation.name);
    case Operation::Kind::copy:
      return fmt::format("the copy {}", operation.name);
    case Operation::Kind::set:
      return "the memset";
    case Operation::Kind::library:
      return operation.name;
    case Operation::Kind::free:
      return fmt::format("{}", operation.name);
    case Operation::Kind::host_function:
      return "the function of the host";
    case Operation::Kind::host_access:
      return "the program";
  }
  return {};
}

std::string at_line(const Operation& operation, bool only_line) {
  if (operation.place == nullptr) return {};
  return only_line ? fmt::format(" of line {}", operation.place->line)
                   : fmt::format(" of {}", recording::place_text(*operation.place));
}

const char* verb(Access access) { return access == Access::read ? "reads" : "writes"; }

std::string before_line(const Operation& operation) {
  return operation.place == nullptr ? std::string("before it")
                                    : fmt::format("before line {}", operation.place->line);
}
std::string after_line(const Operation& operation) {
  return operation.place == nullptr ? std::string("after the first one")
                                    : fmt::format("after line {}", operation.place->line);
}

std::string wait_for(const Operation& first, bool python) {
  const std::string name = stream_name(first);
  if (first.stream == 0) return python ? "cuda.synchronize()" : "cudaDeviceSynchronize()";
  if (python) return name.empty() ? "its stream's synchronize()" : fmt::format("{}.synchronize()", name);
  return name.empty() ? fmt::format("cudaStreamSynchronize of stream {}", first.stream)
                      : fmt::format("cudaStreamSynchronize({})", name);
}

}  // namespace

std::string stream_argument(std::string_view call, bool python) {
  if (python) {
    if (const size_t named = call.find("stream="); named != call.npos) {
      const size_t begin = named + 7;
      const auto name = trimmed(call.substr(begin, call.find_first_of(",)", begin) - begin));
      return is_short_name(name) ? std::string(name) : std::string();
    }
    const size_t bracket = call.find('[');
    if (bracket == call.npos) return {};
    const auto configuration = arguments_at(call, bracket + 1, "]");
    const bool has_stream = configuration.size() >= 3 && is_short_name(configuration[2]);
    return has_stream ? std::string(configuration[2]) : std::string();
  }
  if (const size_t launch = call.find("<<<"); launch != call.npos) {
    const auto configuration = arguments_at(call, launch + 3, ">>>");
    const bool has_stream = configuration.size() == 4 && is_short_name(configuration[3]);
    return has_stream ? std::string(configuration[3]) : std::string();
  }
  const size_t first = std::min(call.find("cudaLaunchHostFunc"), call.find("cudaStreamAddCallback"));
  const size_t name = std::min({call.find("Async"), call.find("cudaGraphLaunch"), first});
  const size_t bracket = name == call.npos ? call.npos : call.find('(', name);
  if (bracket == call.npos) return {};
  const auto arguments = arguments_at(call, bracket + 1, ")");
  if (arguments.empty()) return {};
  const std::string_view stream = first == name ? arguments.front() : arguments.back();
  return is_short_name(stream) ? std::string(stream) : std::string();
}

ConflictText text_of(const Conflict& conflict, std::string_view memory) {
  const Operation &first = *conflict.first, &second = *conflict.second;
  const bool python = is_python(second.place) || is_python(first.place);
  const bool same_file =
      first.place != nullptr && second.place != nullptr && first.place->file == second.place->file;
  const bool by_host = second.kind == Operation::Kind::host_access;
  const bool is_free = second.kind == Operation::Kind::free;
  ConflictText text;
  const std::string first_words =
      fmt::format("{}{} in {}", name_of(first), at_line(first, same_file), stream_words(first));
  if (is_free) {
    text.what = fmt::format("{} frees {} while {} may still use it: nothing waits for it before.",
                            second.name, memory, first_words);
  } else if (by_host) {
    text.what = fmt::format("The program {} {} while {}, which {} it, may still go on: nothing waits for it.",
                            verb(conflict.second_access), memory, first_words, verb(conflict.first_access));
  } else {
    // The name of a function is as programs write it.
    const bool is_function = second.kind == Operation::Kind::library;
    text.what =
        fmt::format("{} in {} {} {}, which {} {}. Nothing orders the two: they may go on at once.",
                    is_function ? name_of(second) : capitalised(name_of(second)), stream_words(second),
                    verb(conflict.second_access), memory, first_words, verb(conflict.first_access));
  }
  const std::string sync = wait_for(first, python);
  if (by_host || is_free) {
    text.advice = fmt::format("Call {} {}.", sync, before_line(second));
    return text;
  }
  const std::string own = second.stream == 0 ? "0" : stream_name(second);
  const std::string first_stream = first.stream == 0 ? "0" : stream_name(first);
  if (python) {
    text.advice =
        fmt::format("Record an event in {} {} and let {} wait for it, or call {} {}.", stream_words(first),
                    after_line(first), stream_words(second), sync, before_line(second));
  } else {
    text.advice =
        fmt::format("Call cudaEventRecord(done{}) {} and cudaStreamWaitEvent({}, done) {}, or {} there.",
                    first_stream.empty() ? std::string() : ", " + first_stream, after_line(first),
                    own.empty() ? fmt::format("stream {}", second.stream) : own, before_line(second), sync);
  }
  return text;
}

}  // namespace warplens::streams
