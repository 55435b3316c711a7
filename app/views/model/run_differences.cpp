#include "app/views/model/run_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/base/format.h"
#include "app/state/live/live_motion.h"

namespace warplens {
namespace {

// Each thing that may vary, and its text in one run.
using Traits = std::map<std::string, std::string>;

const KernelDescription* kernel_of(const Choice& choice) {
  if (choice.own) return choice.own.get();
  const auto found = find_kernel(choice.setup.kernel);
  return found ? *found : nullptr;
}

std::string picture_of(const KernelSetup& setup) {
  std::string name = setup.image && !setup.image->name.empty() ? setup.image->name : setup.image_path;
  name = name.substr(name.find_last_of("/\\") + 1);
  return setup.image ? fmt::format("{} {} × {}", name, setup.image->width, setup.image->height) : name;
}

void add_numbers(const KernelDescription& kernel, const KernelSetup& setup, Traits& traits) {
  for (const auto* list : {&kernel.settings, &kernel.arguments})
    for (const KernelArgument& argument : *list)
      if (!argument.is_buffer && argument.expression.empty())
        traits[argument.name] =
            fmt::format("{} {}", argument.name, significant(value_of_argument(argument, setup), 6));
}

// `texts` are the texts of this own kernel so far.
std::string text_number(const std::string& text, std::vector<const std::string*>& texts) {
  const auto same = [&](const std::string* other) { return *other == text; };
  auto at = std::ranges::find_if(texts, same);
  if (at == texts.end()) at = texts.insert(texts.end(), &text);
  return fmt::format("text {}", at - texts.begin() + 1);
}

Traits traits_of(const RunRecord& run, std::vector<const std::string*>& texts) {
  const KernelSetup& setup = run.choice.setup;
  Traits traits;
  traits[" picture"] = picture_of(setup);
  traits["~seed"] = fmt::format("seed {}", setup.data_seed);
  traits["~grid"] = setup.fit_grid ? "" : fmt::format("grid {}", extent_text(run.grid));
  traits["~shared"] = fmt::format("{} of shared memory", bytes_text(setup.shared_dynamic_bytes));
  traits["~device"] = run.choice.device.name;
  if (const KernelDescription* kernel = kernel_of(run.choice)) {
    add_numbers(*kernel, setup, traits);
    if (kernel->own) traits["  text"] = text_number(kernel->source, texts);
  }
  return traits;
}

std::string joined(const Traits& traits, const std::set<std::string>& varying) {
  std::string words;
  for (const auto& [name, text] : traits)
    if (varying.contains(name) && !text.empty()) words += (words.empty() ? "" : ", ") + text;
  return words;
}

}  // namespace

std::vector<std::string> run_differences(const std::vector<RunRecord>& runs) {
  std::map<std::string, std::vector<size_t>> of_kernel;
  for (size_t i = runs.size(); i-- > 0;) of_kernel[runs[i].choice.setup.kernel].push_back(i);
  std::vector<std::string> words(runs.size());
  for (const auto& [kernel, members] : of_kernel) {
    std::vector<const std::string*> texts;
    std::vector<Traits> traits;
    for (const size_t i : members) traits.push_back(traits_of(runs[i], texts));
    std::set<std::string> varying;
    for (const Traits& other : traits)
      for (const auto& [name, text] : other)
        if (const auto first = traits.front().find(name);
            first == traits.front().end() || first->second != text)
          varying.insert(name);
    for (size_t i = 0; i < members.size(); ++i) words[members[i]] = joined(traits[i], varying);
  }
  return words;
}

}  // namespace warplens
