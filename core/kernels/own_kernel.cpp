#include "core/kernels/own_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/kernels/evaluated.h"
#include "core/kernels/own_kernel_parts.h"
#include "core/ptx/parse.h"

namespace warplens {

namespace {

constexpr size_t most_parameters = 64;

bool is_float(DType type) { return type == DType::f16 || type == DType::f32 || type == DType::f64; }

// The kernel that is described, and where in the text its annotation may stand.
struct Chosen {
  const ptx::Function* entry = nullptr;
  const SourceKernel* source = nullptr;  // null: PTX alone, or the text does not show it
  size_t begin = 0, end = 0;
};

class Describer {
 public:
  explicit Describer(const OwnKernelText& text) : m_text(text) {}

  OwnKernel describe() {
    const ptx::ParseResult parsed =
        ptx::parse(m_text.ptx, m_text.source.empty() ? m_text.source_name : m_text.source_name + " (as PTX)");
    if (!parsed.module) {
      m_own.diagnostics = parsed.diagnostics;
      return std::move(m_own);
    }
    m_sources = kernels_of_source(m_text.source);
    const std::optional<Chosen> chosen = choose(*parsed.module);
    if (!chosen) return std::move(m_own);
    if (chosen->entry->parameters.size() > most_parameters) {
      fail({}, fmt::format("{} has {} parameters, and an own kernel may have {}", chosen->entry->name,
                           chosen->entry->parameters.size(), most_parameters));
      return std::move(m_own);
    }
    build(*chosen);
    if (!has_errors()) m_own.kernel = std::make_shared<const KernelDescription>(std::move(m_kernel));
    return std::move(m_own);
  }

 private:
  const std::string& annotated_text() const { return m_text.source.empty() ? m_text.ptx : m_text.source; }

  void fail(const Place& place, std::string message, Severity severity = Severity::error) {
    m_own.diagnostics.push_back({severity, m_text.source_name, place.line, place.column, std::move(message)});
  }

  bool has_errors() const {
    return std::ranges::any_of(m_own.diagnostics,
                               [](const Diagnostic& d) { return d.severity == Severity::error; });
  }

  const SourceKernel* source_of(const ptx::Function& entry) const {
    const std::string name = plain_entry_name(entry.name);
    for (const SourceKernel& source : m_sources)
      if (source.name == name && source.parameters.size() == entry.parameters.size()) return &source;
    return nullptr;
  }

  // A kernel's comments stand before it, behind the one in front, or inside; those of the last up to the end.
  Chosen with_place(const ptx::Function& entry) const {
    Chosen chosen{&entry, source_of(entry), 0, annotated_text().size()};
    if (!chosen.source) return chosen;
    const size_t index = static_cast<size_t>(chosen.source - m_sources.data());
    if (index > 0) chosen.begin = m_sources[index - 1].end;
    if (index + 1 < m_sources.size()) chosen.end = chosen.source->end;
    return chosen;
  }

  std::optional<Chosen> choose(const ptx::Module& module) {
    std::vector<Chosen> all;
    for (const ptx::Function& function : module.functions)
      if (function.is_entry) all.push_back(with_place(function));
    // In the order of the source; NVRTC writes kernels in another.
    std::ranges::stable_sort(all, {}, [](const Chosen& c) { return c.source ? c.source->begin : size_t{0}; });
    std::string names;
    for (const Chosen& chosen : all) {
      m_own.entries.push_back(plain_entry_name(chosen.entry->name));
      names += (names.empty() ? "" : ", ") + m_own.entries.back();
    }
    if (all.empty()) {
      fail({}, "there is no kernel in it: write a function with extern \"C\" __global__ void in front");
      return std::nullopt;
    }
    if (m_text.entry.empty()) {
      const auto annotated = std::ranges::find_if(
          all, [&](const Chosen& c) { return has_annotation(annotated_text(), c.begin, c.end); });
      return annotated == all.end() ? all.front() : *annotated;
    }
    for (const Chosen& chosen : all)
      if (chosen.entry->name == m_text.entry || plain_entry_name(chosen.entry->name) == m_text.entry)
        return chosen;
    fail({}, fmt::format("there is no kernel \"{}\" in it; it has {}", m_text.entry, names));
    return std::nullopt;
  }

  void build(const Chosen& chosen) {
    m_entry = plain_entry_name(chosen.entry->name);
    m_parameters = joined_parameters(ptx_parameters(*chosen.entry), chosen.source);
    m_annotation = parse_annotation(annotated_text(), m_text.source_name, chosen.begin, chosen.end);
    m_own.diagnostics.insert(m_own.diagnostics.end(), m_annotation.diagnostics.begin(),
                             m_annotation.diagnostics.end());
    m_kernel.name = m_text.source_name;
    m_kernel.title = m_entry;
    m_kernel.teaches = leading_comment(m_text.source);
    m_kernel.entry = std::string(chosen.entry->name);
    m_kernel.source = m_text.source;
    m_kernel.source_name = m_text.source_name;
    m_kernel.ptx = m_text.ptx;
    m_kernel.own = true;
    m_kernel.path = m_text.path;
    if (chosen.source) m_kernel.index_formula = index_lines(m_text.source, *chosen.source);
    if (m_text.like != nullptr && is_like(chosen)) return take_like();
    place_picture();
    add_settings();
    add_arguments();
    add_launch();
    if (!has_errors()) check_expressions();
  }

  // Nothing that the description depends on was changed.
  bool is_like(const Chosen& chosen) const {
    const std::vector<KernelArgument>& arguments = m_text.like->arguments;
    if (m_annotation.found || chosen.entry->name != m_text.like->entry) return false;
    return std::ranges::equal(m_parameters, arguments, [](const KernelParameter& p, const KernelArgument& a) {
      return p.name == a.name && p.pointer == a.is_buffer && (p.pointer || p.dtype == a.dtype);
    });
  }

  // The data, the steps and the CPU reference stay: so an edit can be held against it.
  void take_like() {
    KernelDescription kernel = *m_text.like;
    kernel.name = m_kernel.name;
    kernel.title = m_kernel.title;
    kernel.source = m_kernel.source;
    kernel.source_name = m_kernel.source_name;
    kernel.ptx = m_kernel.ptx;
    kernel.own = true;
    kernel.path = m_kernel.path;
    kernel.intentionally_broken = false;
    if (!m_kernel.index_formula.empty()) kernel.index_formula = m_kernel.index_formula;
    m_kernel = std::move(kernel);
  }

  // The argument of that name of the built-in kernel that the text began as; null: none.
  const KernelArgument* argument_like(const KernelParameter& p) const {
    if (m_text.like == nullptr) return nullptr;
    for (const KernelArgument& argument : m_text.like->arguments)
      if (argument.name == p.name && argument.is_buffer == p.pointer) return &argument;
    return nullptr;
  }

  // The first lines of comment say what a kernel is for.
  static std::string leading_comment(std::string_view source) {
    constexpr size_t longest = 400;
    std::string words;
    for (size_t at = 0; at < source.size() && words.size() < longest;) {
      const size_t end = std::min(source.find('\n', at), source.size());
      std::string_view line = source.substr(at, end - at);
      at = end + 1;
      if (!line.starts_with("//")) break;
      line.remove_prefix(std::min(line.find_first_not_of("/ \t"), line.size()));
      while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
      if (line.starts_with("warplens:") || line.empty()) continue;
      words += (words.empty() ? "" : " ") + std::string(line);
    }
    return words;
  }

  const KernelParameter* parameter(std::string_view name) const {
    for (const KernelParameter& p : m_parameters)
      if (p.name == name) return &p;
    return nullptr;
  }

  const AnnotatedArgument* annotated(std::string_view name) const {
    for (const AnnotatedArgument& argument : m_annotation.arguments)
      if (argument.name == name) return &argument;
    return nullptr;
  }

  // image=rgb8 where no parameter is called image: the first one of bytes that has no entry gets the picture.
  void place_picture() {
    if (!m_annotation.picture_channels || parameter("image") != nullptr) return;
    auto entry = std::ranges::find(m_annotation.arguments, std::string("image"), &AnnotatedArgument::name);
    if (entry == m_annotation.arguments.end()) return;
    for (const KernelParameter& p : m_parameters)
      if (p.pointer && p.dtype == DType::u8 && annotated(p.name) == nullptr && argument_like(p) == nullptr) {
        entry->name = p.name;
        return;
      }
    fail(m_annotation.picture_place,
         fmt::format(
             "no parameter of {} can take the picture: name the one of type unsigned char*, as in rgb=rgb8",
             m_entry),
         Severity::warning);
    m_annotation.arguments.erase(entry);
  }

  std::string parameter_names() const {
    std::string names;
    for (const KernelParameter& p : m_parameters) names += (names.empty() ? "" : ", ") + p.name;
    return names.empty() ? "none" : names;
  }

  // Numbers with a name that is no parameter's are sizes for expressions.
  void add_settings() {
    for (const AnnotatedArgument& entry : m_annotation.arguments) {
      if (parameter(entry.name) != nullptr) continue;
      if (entry.is_buffer || !entry.value) {
        fail(entry.place,
             fmt::format("{} is no parameter of {}, which has {}{}", entry.name, m_entry, parameter_names(),
                         entry.is_buffer ? ": write the name of a pointer"
                                         : "; a size of your own needs a number, as in n=10000"));
        continue;
      }
      KernelArgument setting;
      setting.dtype = *entry.value == std::floor(*entry.value) ? DType::i64 : DType::f64;
      set_value(setting, entry);
      m_kernel.settings.push_back(std::move(setting));
    }
    if (m_text.like == nullptr || m_annotation.found) return;
    for (const KernelArgument& setting : m_text.like->settings)
      if (parameter(setting.name) == nullptr) m_kernel.settings.push_back(setting);
  }

  void set_value(KernelArgument& argument, const AnnotatedArgument& entry) {
    argument.name = argument.title = entry.name;
    argument.value = *entry.value;
    set_range(argument);
    if (entry.range) {
      argument.minimum = entry.range->first;
      argument.maximum = entry.range->second;
      argument.control =
          argument.minimum >= 0 && argument.maximum > 1000 ? Control::log_slider : Control::slider;
    }
    const auto [low, high] = limits_of(argument.dtype);
    const bool whole = is_float(argument.dtype) || argument.value == std::floor(argument.value);
    if (!whole || argument.value < low || argument.value > high)
      fail(entry.place, fmt::format("{} is {} and cannot be {}: write a {} from {} to {}", entry.name,
                                    numpy_name(argument.dtype), argument.value,
                                    is_float(argument.dtype) ? "number" : "whole number", low, high));
    argument.minimum = std::max(argument.minimum, low);
    argument.maximum = std::min(argument.maximum, high);
  }

  // Sizes that buffers without an entry are made from.
  std::vector<std::string> sizes() const {
    std::vector<std::string> names;
    for (const KernelArgument& setting : m_kernel.settings)
      if (is_size_name(setting.name)) names.push_back(setting.name);
    for (const KernelParameter& p : m_parameters)
      if (!p.pointer && !is_float(p.dtype) && is_size_name(p.name)) names.push_back(p.name);
    return names;
  }

  void add_arguments() {
    std::vector<std::string> size_names = sizes();
    const bool needs_size = std::ranges::any_of(
        m_parameters, [&](const KernelParameter& p) { return p.pointer && annotated(p.name) == nullptr; });
    if (needs_size && size_names.empty()) {
      m_kernel.settings.push_back(default_number("n", DType::i64, 1));
      size_names.emplace_back("n");
    }
    for (const KernelParameter& p : m_parameters) {
      const AnnotatedArgument* entry = annotated(p.name);
      if (const KernelArgument* like = argument_like(p); like != nullptr && entry == nullptr) {
        m_kernel.arguments.push_back(*like);
        continue;
      }
      if (p.pointer)
        add_buffer(p, entry, size_names);
      else
        add_scalar(p, entry, size_names.size());
    }
  }

  void add_buffer(const KernelParameter& p, const AnnotatedArgument* entry,
                  const std::vector<std::string>& size_names) {
    KernelArgument argument;
    argument.name = argument.title = p.name;
    argument.is_buffer = true;
    argument.dtype = p.dtype;
    argument.output = p.output;
    argument.fill = p.output ? Fill::zero : Fill::random;
    std::vector<std::string> extents;
    if (entry && !entry->is_buffer) {
      return fail(entry->place,
                  fmt::format("{} is a pointer: write a type with its size, as in {}={}[n] zero", p.name,
                              p.name, numpy_name(p.dtype)));
    }
    if (entry) {
      for (const PlacedText& extent : entry->extents) extents.push_back(extent.text);
      argument.dtype = entry->dtype;
      if (p.dtype_known && bytes_of(p.dtype) != bytes_of(entry->dtype))
        fail(entry->place,
             fmt::format("{} points to {} in the code, and is given as {}", p.name, numpy_name(p.dtype),
                         numpy_name(entry->dtype)),
             Severity::warning);
      take_fill(*entry, argument);
    } else {
      extents = default_extents(size_names);
      if (p.components > 1) {
        extents.resize(2, "1");
        extents.push_back(std::to_string(p.components));
      }
      if (argument.fill == Fill::random && !is_float(p.dtype)) argument.fill_high = 100;
    }
    extents.resize(3);
    argument.width = extents[0];
    argument.height = extents[1];
    argument.channels = extents[2];
    argument.control = argument.fill == Fill::image    ? Control::image
                       : argument.fill == Fill::random ? Control::seed
                                                       : Control::none;
    m_kernel.arguments.push_back(std::move(argument));
  }

  static void take_fill(const AnnotatedArgument& entry, KernelArgument& argument) {
    if (entry.fill) argument.fill = *entry.fill;
    if (entry.output) argument.output = *entry.output;
    argument.formula = entry.formula;
    argument.fill_low = entry.low;
    argument.fill_high = entry.high;
    argument.fill_seed = entry.seed - 1;  // the setup's own seed begins at 1; wraps, and the sum wraps back
  }

  void add_scalar(const KernelParameter& p, const AnnotatedArgument* entry, size_t size_count) {
    if (p.bytes > 8)
      return fail(entry ? entry->place : Place{},
                  fmt::format("{} is a structure of {} bytes: an own kernel takes pointers and numbers, so "
                              "pass its members one by one",
                              p.name, p.bytes));
    if (entry && entry->is_buffer)
      return fail(entry->place, fmt::format("{} is a number ({}), no pointer: write {}=1, or an expression",
                                            p.name, numpy_name(p.dtype), p.name));
    KernelArgument argument = default_number(p.name, p.dtype, size_count);
    if (entry && entry->value) {
      set_value(argument, *entry);
    } else if (entry) {
      argument.control = Control::none;
      argument.expression = entry->expression.text;
    }
    m_kernel.arguments.push_back(std::move(argument));
  }

  // ceil(n/256) with a block of 256 means: n threads are needed. So the grid follows when the block changes.
  static std::string threads_behind(std::string_view expression, uint32_t block) {
    std::string text;
    for (const char c : expression)
      if (c != ' ' && c != '\t') text += c;
    for (const auto& [front, divide] :
         {std::pair<std::string_view, char>{"ceil(", '/'}, {"ceil_div(", ','}}) {
      if (!text.starts_with(front) || !text.ends_with(")")) continue;
      const std::string inner = text.substr(front.size(), text.size() - front.size() - 1);
      const size_t at = inner.rfind(divide);
      if (at == std::string::npos || at == 0) continue;
      const std::string by = inner.substr(at + 1), of = inner.substr(0, at);
      if (of.find_first_of("()?:<>") != std::string::npos) continue;
      if (by == std::to_string(block) || by.starts_with("block_")) return of;
    }
    return "";
  }

  void add_launch() {
    const KernelArgument* shown = nullptr;  // the first output, else the first buffer
    for (const KernelArgument& argument : m_kernel.arguments)
      if (argument.is_buffer && (shown == nullptr || (argument.output && !shown->output))) shown = &argument;
    if (m_text.like != nullptr && !m_annotation.found) {
      m_kernel.default_block = m_text.like->default_block;
      m_kernel.block_presets = m_text.like->block_presets;
      m_kernel.problem = m_text.like->problem;
      return;
    }
    const bool plane = shown && !shown->height.empty() && shown->height != "1";
    const bool two_axes = !m_annotation.grid[1].empty() || !m_annotation.threads[1].empty() ||
                          (m_annotation.grid[0].empty() && m_annotation.threads[0].empty() && plane);
    m_kernel.default_block = m_annotation.block.value_or(two_axes ? Dim3{16, 16, 1} : Dim3{256, 1, 1});
    m_kernel.block_presets =
        two_axes
            ? std::vector<Dim3>{{8, 8, 1}, {16, 16, 1}, {32, 8, 1}, {32, 32, 1}, {256, 1, 1}}
            : std::vector<Dim3>{{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1}};
    const std::array<uint32_t, 3> block{m_kernel.default_block.x, m_kernel.default_block.y,
                                        m_kernel.default_block.z};
    constexpr const char* names[] = {"block_x", "block_y", "block_z"};
    for (size_t axis = 0; axis < 3; ++axis) {
      if (!m_annotation.threads[axis].empty()) {
        m_kernel.problem[axis] = m_annotation.threads[axis].text;
      } else if (!m_annotation.grid[axis].empty()) {
        const std::string& grid = m_annotation.grid[axis].text;
        const std::string threads = threads_behind(grid, block[axis]);
        m_kernel.problem[axis] = threads.empty() ? fmt::format("floor({}) * {}", grid, names[axis]) : threads;
      }
    }
    if (!m_kernel.problem[0].empty() || shown == nullptr) {
      if (m_kernel.problem[0].empty()) m_kernel.problem[0] = "block_x";  // one block
      return;
    }
    m_kernel.problem[0] = shown->width;
    if (plane) m_kernel.problem[1] = shown->height;
  }

  // Every expression must have a value where all names are 1; the entry that it comes from is named.
  void check_expressions() {
    Names names = reserved_names(m_kernel, KernelSetup{}, nullptr);
    for (const auto* list : {&m_kernel.settings, &m_kernel.arguments})
      for (const KernelArgument& argument : *list) {
        if (is_reserved_name(argument.name))
          fail(place_of(argument.name),
               fmt::format("the name {} belongs to the program: choose another", argument.name));
        if (!argument.is_buffer && argument.expression.empty()) names[argument.name] = 1;
      }
    const auto check = [&](const std::string& expression, const Place& place) {
      if (expression.empty()) return;
      if (const Result<double> value = evaluate(expression, names); !value)
        fail(place,
             fmt::format("{} Every name in it must be a parameter or have a number here, as in n=10000.",
                         value.error().message));
    };
    for (const KernelArgument& argument : m_kernel.arguments) {
      if (argument.is_buffer || argument.expression.empty()) continue;
      check(argument.expression, place_of(argument.name));
      names[argument.name] = 1;
    }
    for (size_t axis = 0; axis < 3; ++axis)
      check(m_kernel.problem[axis], !m_annotation.grid[axis].empty() ? m_annotation.grid[axis].place
                                                                     : m_annotation.threads[axis].place);
    for (const char* axis : {"grid_x", "grid_y", "grid_z"}) names[axis] = 1;  // known once the problem is
    for (const KernelArgument& argument : m_kernel.arguments)
      for (const std::string* extent : {&argument.width, &argument.height, &argument.channels})
        check(*extent, place_of(argument.name));
  }

  Place place_of(std::string_view name) const {
    const AnnotatedArgument* entry = annotated(name);
    return entry ? entry->place : Place{};
  }

  const OwnKernelText& m_text;
  OwnKernel m_own;
  KernelDescription m_kernel;
  std::vector<SourceKernel> m_sources;
  std::string m_entry;
  std::vector<KernelParameter> m_parameters;
  Annotation m_annotation;
};

const KernelArgument* number_named(const KernelDescription& kernel, const std::string& name) {
  for (const auto* list : {&kernel.settings, &kernel.arguments})
    for (const KernelArgument& argument : *list)
      if (argument.name == name && !argument.is_buffer && argument.expression.empty()) return &argument;
  return nullptr;
}

}  // namespace

OwnKernel describe_own_kernel(const OwnKernelText& text) { return Describer(text).describe(); }

KernelSetup carried_over(const KernelDescription& before, const KernelSetup& setup,
                         const KernelDescription& after) {
  KernelSetup next = setup;
  next.kernel = after.name;
  next.values.clear();
  for (const auto& [name, value] : setup.values) {
    const KernelArgument* now = number_named(after, name);
    const KernelArgument* was = number_named(before, name);
    if (now == nullptr || (was != nullptr && was->value != now->value)) continue;
    if (value < now->minimum || value > now->maximum || (!is_float(now->dtype) && value != std::floor(value)))
      continue;
    next.values[name] = value;
  }
  if (before.default_block != after.default_block) next.block = after.default_block;
  if (before.problem != after.problem) next.fit_grid = true;
  return next;
}

}  // namespace warplens
