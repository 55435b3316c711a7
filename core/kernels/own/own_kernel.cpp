#include "core/kernels/own/own_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/compile/cuda_source/host_code.h"
#include "core/kernels/own/own_kernel_draft.h"
#include "core/ptx/parser/parse.h"

namespace warplens {

namespace {

constexpr size_t most_parameters = 64;

// The kernel that is described, and the part of the text in which its annotation may be.
struct Chosen {
  const ptx::Function* entry = nullptr;
  const SourceKernel* source = nullptr;  // null if there is only PTX, or the text does not contain it
  size_t begin = 0, end = 0;
};

const SourceKernel* source_of(const std::vector<SourceKernel>& sources, const ptx::Function& entry) {
  const std::string name = plain_entry_name(entry.name);
  for (const SourceKernel& source : sources)
    if (source.name == name && source.parameters.size() == entry.parameters.size()) return &source;
  return nullptr;
}

// A kernel's comments are between the previous kernel and its own end. Those of the last kernel go up to the
// end of the text.
Chosen with_place(const Draft& draft, const std::vector<SourceKernel>& sources, const ptx::Function& entry) {
  Chosen chosen{&entry, source_of(sources, entry), 0, draft.annotated_text().size()};
  if (!chosen.source) return chosen;
  const size_t index = static_cast<size_t>(chosen.source - sources.data());
  if (index > 0) chosen.begin = sources[index - 1].end;
  if (index + 1 < sources.size()) chosen.end = chosen.source->end;
  return chosen;
}

std::optional<Chosen> choose(Draft& draft, const std::vector<SourceKernel>& sources,
                             const ptx::Module& module) {
  std::vector<Chosen> all;
  for (const ptx::Function& function : module.functions)
    if (function.is_entry) all.push_back(with_place(draft, sources, function));
  // Sorts kernels in the order of the source, since NVRTC writes them in another order.
  std::ranges::stable_sort(all, {}, [](const Chosen& c) { return c.source ? c.source->begin : size_t{0}; });
  std::string names;
  for (const Chosen& chosen : all) {
    draft.own.entries.push_back(plain_entry_name(chosen.entry->name));
    names += (names.empty() ? "" : ", ") + draft.own.entries.back();
  }
  if (all.empty()) {
    const auto is_template = [&](const SourceKernel& k) {
      return is_template_at(draft.text.source, k.begin);
    };
    const auto found = std::ranges::find_if(sources, is_template);
    draft.fail(
        {}, found != sources.end()
                ? fmt::format("{} is a template, so it is no kernel yet: add one that calls it, with types",
                              found->name)
                : "there is no kernel in it: write a function with extern \"C\" __global__ void in front");
    return std::nullopt;
  }
  if (draft.text.entry.empty()) {
    const auto annotated = std::ranges::find_if(
        all, [&](const Chosen& c) { return has_annotation(draft.annotated_text(), c.begin, c.end); });
    return annotated == all.end() ? all.front() : *annotated;
  }
  for (const Chosen& chosen : all)
    if (chosen.entry->name == draft.text.entry || plain_entry_name(chosen.entry->name) == draft.text.entry)
      return chosen;
  draft.fail({}, fmt::format("there is no kernel \"{}\" in it; it has {}", draft.text.entry, names));
  return std::nullopt;
}

// Whether nothing that the description depends on was changed.
bool is_like(const Draft& draft, const Chosen& chosen) {
  const std::vector<KernelArgument>& arguments = draft.text.like->arguments;
  if (draft.annotation.found || chosen.entry->name != draft.text.like->entry) return false;
  return std::ranges::equal(
      draft.parameters, arguments, [](const KernelParameter& p, const KernelArgument& a) {
        return p.name == a.name && p.pointer == a.is_buffer && (p.pointer || p.dtype == a.dtype);
      });
}

// Keeps the data, the steps and the CPU reference, so that an edited kernel can be compared with it.
void take_like(Draft& draft) {
  KernelDescription kernel = *draft.text.like;
  kernel.name = draft.kernel.name;
  kernel.title = draft.kernel.title;
  kernel.source = draft.kernel.source;
  kernel.source_name = draft.kernel.source_name;
  kernel.ptx = draft.kernel.ptx;
  kernel.own = true;
  kernel.path = draft.kernel.path;
  kernel.intentionally_broken = false;
  kernel.better.clear();
  if (!draft.kernel.index_formula.empty()) kernel.index_formula = draft.kernel.index_formula;
  draft.kernel = std::move(kernel);
}

// The first lines of comments, which usually say what the kernel is for.
std::string leading_comment(std::string_view source) {
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

void build(Draft& draft, const Chosen& chosen) {
  draft.entry = plain_entry_name(chosen.entry->name);
  draft.parameters = joined_parameters(ptx_parameters(*chosen.entry), chosen.source);
  draft.annotation =
      parse_annotation(draft.annotated_text(), draft.text.source_name, chosen.begin, chosen.end);
  draft.own.diagnostics.insert(draft.own.diagnostics.end(), draft.annotation.diagnostics.begin(),
                               draft.annotation.diagnostics.end());
  draft.kernel.name = draft.text.source_name;
  draft.kernel.title = draft.entry;
  draft.kernel.teaches = leading_comment(draft.text.source);
  draft.kernel.entry = std::string(chosen.entry->name);
  draft.kernel.source = draft.text.source;
  draft.kernel.source_name = draft.text.source_name;
  draft.kernel.ptx = draft.text.ptx;
  draft.kernel.own = true;
  draft.kernel.path = draft.text.path;
  if (chosen.source) draft.kernel.index_formula = index_lines(draft.text.source, *chosen.source);
  if (draft.text.like != nullptr && is_like(draft, chosen)) return take_like(draft);
  place_picture(draft);
  add_settings(draft);
  add_arguments(draft);
  add_launch(draft);
  if (!draft.has_errors()) check_expressions(draft);
}

}  // namespace

OwnKernel describe_own_kernel(const OwnKernelText& text) {
  Draft draft{.text = text, .own = {}, .kernel = {}, .entry = {}, .parameters = {}, .annotation = {}};
  const ptx::ParseResult parsed =
      ptx::parse(text.ptx, text.source.empty() ? text.source_name : text.source_name + " (as PTX)");
  if (!parsed.module) {
    draft.own.diagnostics = parsed.diagnostics;
    return std::move(draft.own);
  }
  const std::vector<SourceKernel> sources = kernels_of_source(text.source);
  const std::optional<Chosen> chosen = choose(draft, sources, *parsed.module);
  if (!chosen) return std::move(draft.own);
  if (chosen->entry->parameters.size() > most_parameters) {
    draft.fail({}, fmt::format("{} has {} parameters, and an own kernel may have {}", chosen->entry->name,
                               chosen->entry->parameters.size(), most_parameters));
    return std::move(draft.own);
  }
  build(draft, *chosen);
  if (!draft.has_errors())
    draft.own.kernel = std::make_shared<const KernelDescription>(std::move(draft.kernel));
  return std::move(draft.own);
}

}  // namespace warplens
