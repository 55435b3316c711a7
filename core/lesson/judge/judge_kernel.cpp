// Makes a kernel that can be run at any case from a challenge's data and a source.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/compile/cuda_source/source_signature.h"
#include "core/job/run_job.h"
#include "core/kernels/own/annotation.h"
#include "core/kernels/own/own_kernel.h"
#include "core/kernels/own/ptx_signature.h"
#include "core/lesson/format/markdown.h"
#include "core/lesson/judge/runnable.h"
#include "core/lesson/read/field_readers.h"
#include "core/ptx/parser/parse.h"

namespace warplens::lesson {
namespace {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

NamedTexts entries_of(std::string_view annotation) {
  NamedTexts entries;
  for (const std::string_view part : parts_of(annotation, ',')) {
    const size_t equals = part.find('=');
    if (equals != part.npos)
      entries.emplace_back(trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1)));
  }
  return entries;
}

bool is_annotation_line(std::string_view line) {
  const size_t slashes = line.find("//");
  return slashes != line.npos && trimmed(line.substr(slashes)).find("warplens:") != line.npos;
}

// The texts after "// warplens:" in all lines of a source.
std::string annotation_in(std::string_view source) {
  std::string text;
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view line = source.substr(at, end - at);
    if (is_annotation_line(line)) {
      if (!text.empty()) text += ", ";
      text += line.substr(line.find("warplens:") + 9);
    }
    at = end + 1;
  }
  return text;
}

bool is_launch_key(std::string_view key) { return key == "block" || key == "grid" || key == "threads"; }

// The value of a name in the challenge's own data, to count what was changed.
std::string starting_value(const NamedTexts& data, std::string_view name) {
  for (const auto& [key, value] : data) {
    if (key != name) continue;
    return value.substr(0, value.find(" in "));
  }
  return name == "shared" || name == "order" || name == "max_registers" ? "0" : "";
}

bool same_text(std::string_view a, std::string_view b) {
  std::string left, right;
  for (const char c : a)
    if (c != ' ') left += c;
  for (const char c : b)
    if (c != ' ') right += c;
  return left == right;
}

std::string merged_annotation(const Challenge& challenge, const Chosen& chosen) {
  NamedTexts entries = entries_of(challenge.annotation);
  for (const auto& [key, value] : chosen.entries) {
    if (key == "order" || key == "shared" || key == "device") continue;
    if (key == "grid" || key == "threads")
      std::erase_if(entries, [](const auto& e) { return e.first == "grid" || e.first == "threads"; });
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&name = key](const auto& e) { return e.first == name; });
    if (found == entries.end()) {
      entries.emplace_back(key, value);
    } else {
      const size_t range = found->second.find(" in ");
      found->second = value + (range == std::string::npos ? "" : found->second.substr(range));
    }
  }
  std::string text;
  for (const auto& [key, value] : entries)
    if (key != "shared") text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, value);
  return text;
}

std::string first_error(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::error) return diagnostic.message;
  return "no reason is known";
}

// "const float*" for a parameter of the reference.
std::string parameter_words(const KernelArgument& argument) {
  return std::string(numpy_name(argument.dtype)) + (argument.is_buffer ? "*" : "");
}

// Why the parameters cannot be those of the reference; empty if they can.
std::string parameter_mistake(const KernelDescription& reference, const ptx::Function& function,
                              const std::string& source, const std::string& plain) {
  if (function.parameters.size() != reference.arguments.size())
    return fmt::format("{} takes {} parameters, and {} are needed.", plain, function.parameters.size(),
                       reference.arguments.size());
  for (const SourceKernel& kernel : kernels_of_source(source)) {
    if (kernel.name != plain || kernel.parameters.size() != reference.arguments.size()) continue;
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      const SourceParameter& got = kernel.parameters[i];
      const KernelArgument& want = reference.arguments[i];
      const bool other = got.dtype && got.components == 1 && *got.dtype != want.dtype;
      if (got.pointer != want.is_buffer || other)
        return fmt::format("Parameter {} of {} must be {}.", i + 1, plain, parameter_words(want));
    }
  }
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const uint64_t want = reference.arguments[i].is_buffer ? 8 : bytes_of(reference.arguments[i].dtype);
    if (function.parameters[i].bytes != want)
      return fmt::format("Parameter {} of {} has {} bytes, and {} are needed: it must be {}.", i + 1, plain,
                         function.parameters[i].bytes, want, parameter_words(reference.arguments[i]));
  }
  return {};
}

ScalarArgument number_argument(uint64_t value) { return {DType::i64, value}; }

// Numba passes an array as its parts: memory info, parent, elements, bytes of one, data, shape, strides. The
// number of its indices is the one in ```data, whatever its size is now: a picture of one row has two.
std::vector<Argument> numba_arguments(const std::vector<Argument>& arguments,
                                      const std::vector<BufferSpec>& buffers,
                                      const KernelDescription& kernel) {
  std::vector<Argument> all;
  for (const Argument& argument : arguments) {
    const auto* buffer = std::get_if<BufferArgument>(&argument);
    if (buffer == nullptr) {
      all.push_back(argument);
      continue;
    }
    const BufferSpec& spec = buffers[buffer->buffer];
    const uint64_t size = bytes_of(spec.dtype);
    const auto declared = std::ranges::find(kernel.arguments, spec.name, &KernelArgument::name);
    const uint32_t indices = declared == kernel.arguments.end() ? 1 : indices_of(*declared);
    std::vector<uint64_t> shape{spec.bytes / size};
    if (indices == 2) shape = {spec.height, spec.width};
    if (indices == 3) shape = {spec.height, spec.width, spec.channels};
    for (const uint64_t number : {uint64_t{0}, uint64_t{0}, spec.bytes / size, size})
      all.emplace_back(number_argument(number));
    all.push_back(argument);
    for (const uint64_t extent : shape) all.emplace_back(number_argument(extent));
    uint64_t stride = size;
    std::vector<uint64_t> strides(shape.size());
    for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i] = stride;
    for (const uint64_t bytes : strides) all.emplace_back(number_argument(bytes));
  }
  return all;
}

}  // namespace

uint32_t indices_of(const KernelArgument& array) {
  if (!array.channels.empty() && array.channels != "1") return 3;
  return !array.height.empty() && array.height != "1" ? 2 : 1;
}

std::string without_annotation(std::string_view source) {
  std::string text;
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view line = source.substr(at, end - at);
    if (is_annotation_line(line))
      text.append(line.substr(0, line.find("//")));
    else
      text.append(line);
    if (end < source.size()) text.push_back('\n');
    at = end + 1;
  }
  return text;
}

bool is_comment_only(std::string_view source) { return trimmed(without_comments(source)).empty(); }

Chosen chosen_by(const Challenge& challenge, std::string_view source) {
  Chosen chosen;
  if (challenge.kind == ChallengeKind::kernel) return chosen;
  const NamedTexts data = entries_of(challenge.annotation);
  uint32_t moves = 0;
  for (const auto& [key, value] : entries_of(annotation_in(source))) {
    const std::string name = key == "threads" ? "grid" : key;
    const auto allowed = std::ranges::find(challenge.change, name, &Change::name);
    const bool known = is_launch_key(key) || key == "shared" || key == "order" || key == "device" ||
                       key == "max_registers" || !starting_value(data, key).empty();
    const bool changed = !same_text(starting_value(data, key), value);
    if (!known || !changed) continue;
    if (value.find('[') != std::string::npos) continue;  // data of an array, which the challenge itself gives
    if (allowed == challenge.change.end()) {
      std::string names;
      for (const Change& change : challenge.change) names += (names.empty() ? "" : ", ") + change.name;
      chosen.mistake = fmt::format("{} may not be changed here; you may choose {}.", key, names);
      return chosen;
    }
    const std::optional<double> number = number_in(value);
    if (allowed->range && (!number || *number < allowed->range->first || *number > allowed->range->second)) {
      chosen.mistake = fmt::format("{} = {} is outside of {} to {}.", key, value, allowed->range->first,
                                   allowed->range->second);
      return chosen;
    }
    const bool whole = key == "order" || key == "shared" || key == "max_registers";
    if (whole && !whole_number_in(value, UINT32_MAX)) {
      chosen.mistake = fmt::format("{} = {} is no whole number.", key, value);
      return chosen;
    }
    if (key == "order") chosen.order = *whole_number_in(value, UINT32_MAX);
    if (key == "device") chosen.device = value;
    chosen.entries.emplace_back(key, value);
    ++moves;
  }
  if (challenge.moves && moves > *challenge.moves)
    chosen.mistake = fmt::format("These are {} changes, and {} are allowed.", moves, *challenge.moves);
  return chosen;
}

Result<std::shared_ptr<const KernelDescription>> describe(const Challenge& challenge,
                                                          const std::string& source, const std::string& ptx,
                                                          const Chosen& chosen) {
  OwnKernelText text;
  // Only the challenge's comment may count, not the one in the source.
  text.source = "// warplens: " + merged_annotation(challenge, chosen) + "\n" + without_annotation(source);
  text.source_name = "reference.cu";
  text.ptx = ptx;
  text.entry = challenge.entry;
  OwnKernel own = describe_own_kernel(text);
  if (!own.kernel) return bad_input(first_error(own.diagnostics));
  auto kernel = std::make_shared<KernelDescription>(*own.kernel);
  for (const KernelArgument& argument : kernel->arguments)
    if (argument.is_buffer && challenge.annotation.find(argument.name + "=") == std::string::npos)
      return bad_input(fmt::format(
          "the parameter {} has no line in ```data, or the reference calls it otherwise", argument.name));
  kernel->steps.clear();
  return std::shared_ptr<const KernelDescription>(std::move(kernel));
}

Result<std::shared_ptr<const KernelDescription>> with_code(const KernelDescription& reference,
                                                           const Challenge& challenge,
                                                           const Submission& answer, const std::string& ptx,
                                                           bool numba) {
  const ptx::ParseResult parsed = ptx::parse(ptx, answer.name);
  // For example, an array that is larger than its memory.
  if (!parsed.module)
    return Error{ErrorKind::refused,
                 fmt::format("The compiler's PTX is not understood: {}", first_error(parsed.diagnostics))};
  const ptx::Function* function = nullptr;
  std::string names;
  for (const ptx::Function& other : parsed.module->functions) {
    if (!other.is_entry) continue;
    const std::string plain = plain_entry_name(other.name);
    names += (names.empty() ? "" : ", ") + plain;
    if (plain == challenge.entry || other.name == challenge.entry || (numba && other.name == answer.entry))
      function = &other;
  }
  if (function == nullptr)
    return bad_input(fmt::format("There is no kernel {} in it{}.", challenge.entry,
                                 names.empty() ? ": write extern \"C\" __global__ void before it"
                                               : fmt::format("; it has {}", names)));
  if (!numba)
    if (const std::string mistake = parameter_mistake(reference, *function, answer.source, challenge.entry);
        !mistake.empty())
      return bad_input(mistake);
  auto kernel = std::make_shared<KernelDescription>(reference);
  kernel->entry = std::string(function->name);
  kernel->ptx = ptx;
  kernel->source = answer.source;
  kernel->source_name = answer.name;
  kernel->name = answer.name;
  return std::shared_ptr<const KernelDescription>(std::move(kernel));
}

Result<LaunchRequest> request_at(const Runnable& runnable, const Challenge& challenge, const RunAt& run) {
  KernelDescription kernel = *runnable.kernel;
  const std::string& annotation = challenge.annotation;
  for (KernelArgument& argument : kernel.arguments) {
    if (!argument.is_buffer) continue;
    // An output whose initial contents do not count begins with values that no answer can rely on.
    const bool counts = std::ranges::find(challenge.inout, argument.name) != challenge.inout.end();
    if (argument.output && argument.fill == Fill::zero && !counts) {
      argument.fill = Fill::random;
      argument.fill_low = 3;
      argument.fill_high = 99;
      argument.fill_seed = 7919;
    }
    argument.output = true;
  }
  KernelSetup setup = default_setup(kernel);
  setup.data_seed = run.data_seed;
  for (const auto& [name, value] : run.at.values) setup.values[name] = value;
  if (run.at.block) setup.block = *run.at.block;
  if (run.at.grid) {
    setup.grid = *run.at.grid;
    setup.fit_grid = false;
  }
  if (runnable.shared_bytes)
    setup.shared_dynamic_bytes = *runnable.shared_bytes;
  else if (const size_t at = annotation.find("shared="); at != std::string::npos)
    if (const auto bytes =
            whole_number_in(annotation.substr(at + 7, annotation.find(',', at) - at - 7), UINT32_MAX))
      setup.shared_dynamic_bytes = uint32_t(*bytes);
  Result<LaunchRequest> request = make_request(kernel, setup, runnable.device);
  if (!request) return request;
  if (runnable.numba)
    for (Step& step : request->steps)
      if (auto* launch = std::get_if<LaunchStep>(&step))
        launch->arguments = numba_arguments(launch->arguments, request->buffers, kernel);
  request->seed = run.order;
  request->workers = 1;
  request->observe = Observe::counters;
  request->sanitize = run.findings ? Sanitize::all : Sanitize::memory;
  request->record_writers = true;
  request->step_budget = run.step_budget;
  return request;
}

Result<RunResult> run_request(LaunchRequest request, Backend& backend, const std::stop_token& stop, bool sm) {
  Job job;
  job.request = std::make_shared<const LaunchRequest>(std::move(request));
  job.check = false;
  job.sm = sm;
  return run_job(job, backend, stop, nullptr);
}

}  // namespace warplens::lesson
