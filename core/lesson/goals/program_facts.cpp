#include "core/lesson/goals/program_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/text_line.h"
#include "core/recording/engine.h"

namespace warplens::lesson {
namespace {

using expression::Value;
using recording::Engine;
using recording::Event;

struct Span {
  double begin = 0, end = 0;
};

// Spans that overlap or touch become one.
std::vector<Span> joined(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, &Span::begin);
  std::vector<Span> all;
  for (const Span& span : spans)
    if (all.empty() || span.begin > all.back().end)
      all.push_back(span);
    else
      all.back().end = std::max(all.back().end, span.end);
  return all;
}

double length_of(const std::vector<Span>& spans) {
  double sum = 0;
  for (const Span& span : spans) sum += span.end - span.begin;
  return sum;
}

// Both are joined.
double length_in_both(const std::vector<Span>& one, const std::vector<Span>& other) {
  double sum = 0;
  for (size_t i = 0, k = 0; i < one.size() && k < other.size();) {
    sum += std::max(0.0, std::min(one[i].end, other[k].end) - std::max(one[i].begin, other[k].begin));
    one[i].end < other[k].end ? ++i : ++k;
  }
  return sum;
}

// The share in percent. Times in journals are rounded, so that neighbours seem to overlap by a thousandth.
double percent(double part, double all) { return all > 0 ? std::round(1000 * part / all) / 10 : 0; }

struct Counted {
  uint64_t launches = 0, findings = 0, faults = 0, missing_waits = 0, waiting_copies = 0, pageable_lines = 0,
           stream_waits = 0, most_bytes = 0, bytes_now = 0;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> arrays;  // of the device, by process and address
  uint32_t finding_line = 0;
  std::array<uint64_t, 2> copies{}, bytes{};  // in, out
  std::set<std::pair<uint64_t, uint64_t>> streams;
  std::vector<Span> copying, computing;
  bool timed = true;  // the time of everything is known
};

void count_work(const Event& event, Counted& counted) {
  counted.streams.emplace(event.process, event.stream);
  const auto engine = engine_of(event);
  counted.stream_waits += event.after.size();
  if (event.kind == Event::Kind::launch) counted.launches += event.count;
  if (engine && *engine != Engine::kernels) {
    const size_t way = *engine == Engine::in ? 0 : 1;
    counted.copies[way] += event.count;
    counted.bytes[way] += event.bytes;
    if (event.waits) counted.waiting_copies += event.count;
  }
  if (!event.begin_us || !event.device_us) {
    counted.timed = false;
    return;
  }
  const Span span{*event.begin_us, *event.begin_us + *event.device_us};
  (engine == Engine::kernels ? counted.computing : counted.copying).push_back(span);
}

void count_finding(const Event& event, Counted& counted) {
  ++counted.findings;
  if (event.is_fault) ++counted.faults;
  if (event.finding == "missing_wait") ++counted.missing_waits;
  if (counted.finding_line == 0) counted.finding_line = event.place ? event.place->line : event.line;
}

void count_array(const Event& event, Counted& counted) {
  const std::pair key{event.process, event.address};
  if (event.kind == Event::Kind::allocate && event.name == "device") {
    counted.arrays[key] = event.bytes;
    counted.bytes_now += event.bytes;
    counted.most_bytes = std::max(counted.most_bytes, counted.bytes_now);
  } else if (event.kind == Event::Kind::release) {
    if (const auto gone = counted.arrays.extract(key)) counted.bytes_now -= gone.mapped();
  }
}

Counted count(const recording::Recording* recording) {
  Counted counted;
  if (recording == nullptr) return counted;
  for (const Event& event : recording->events) {
    if (is_device_work(event)) count_work(event, counted);
    count_array(event, counted);
    if (event.kind == Event::Kind::finding) count_finding(event, counted);
    if (event.kind == Event::Kind::warning && event.finding == "pageable_copy") ++counted.pageable_lines;
  }
  for (const Event& sum : recording->sums)
    if (is_device_work(sum)) count_work(sum, counted);
  return counted;
}

double from_first_to_last(const std::vector<Span>& copying, const std::vector<Span>& computing) {
  if (copying.empty() && computing.empty()) return 0;
  double begin = 0, end = 0;
  bool any = false;
  for (const auto* spans : {&copying, &computing})
    for (const Span& span : *spans) {
      begin = any ? std::min(begin, span.begin) : span.begin;
      end = any ? std::max(end, span.end) : span.end;
      any = true;
    }
  return end - begin;
}

void add_times(Facts& facts, const std::string& prefix, const Counted* counted) {
  const auto set = [&](const char* name, auto value) {
    facts.set(prefix + name, counted != nullptr && counted->timed ? Value(value()) : Value{});
  };
  set("program.time", [&] { return from_first_to_last(counted->copying, counted->computing); });
  set("program.copy_time", [&] { return length_of(counted->copying); });
  set("program.kernel_time", [&] { return length_of(counted->computing); });
  set("program.overlap", [&] {
    const std::vector<Span> copying = joined(counted->copying);
    return percent(length_in_both(copying, joined(counted->computing)), length_of(copying));
  });
}

}  // namespace

bool has_lines(std::string_view printed, std::string_view wanted) {
  std::set<std::string_view> lines;
  for (const std::string_view line : lines_of_text(printed)) lines.insert(trimmed(line));
  return std::ranges::all_of(lines_of_text(wanted), [&](std::string_view line) {
    return trimmed(line).empty() || lines.contains(trimmed(line));
  });
}

void add_program(Facts& facts, const std::string& prefix, const ProgramOutcome* ran) {
  const bool runs = ran != nullptr && ran->compiles;
  const Counted counted = count(runs ? ran->recording.get() : nullptr);
  const auto set = [&](const char* name, Value value) {
    facts.set(prefix + "program." + name, runs ? value : Value{});
  };
  facts.set(prefix + "program.ran", ran ? 1 : 0);
  facts.set(prefix + "program.compiles", ran ? Value(ran->compiles ? 1 : 0) : Value{});
  set("status", runs ? ran->status : 0);
  set("launches", counted.launches);
  set("copies", counted.copies[0] + counted.copies[1]);
  set("copies_in", counted.copies[0]);
  set("copies_out", counted.copies[1]);
  set("bytes", counted.bytes[0] + counted.bytes[1]);
  set("bytes_in", counted.bytes[0]);
  set("bytes_out", counted.bytes[1]);
  set("waiting_copies", counted.waiting_copies);
  set("pageable_lines", counted.pageable_lines);
  set("most_bytes", counted.most_bytes);
  set("stream_waits", counted.stream_waits);
  set("streams", counted.streams.size());
  set("findings", counted.findings);
  set("faults", counted.faults);
  set("missing_waits", counted.missing_waits);
  set("finding_line", counted.finding_line);
  add_times(facts, prefix, runs ? &counted : nullptr);
}

}  // namespace warplens::lesson
