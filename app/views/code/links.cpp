#include "app/views/code/links.h"

#include <algorithm>

#include "core/ptx/parser/parse.h"

namespace warplens {
namespace {

bool ends_with_name(std::string_view file, std::string_view name) {
  return file == name || (file.ends_with(name) && file[file.size() - name.size() - 1] == '/');
}

// Lines of this source that an instruction belongs to, the innermost first.
std::vector<uint32_t> source_lines(const ptx::Module& module, uint32_t location,
                                   std::string_view source_name) {
  std::vector<uint32_t> lines;
  constexpr size_t deepest = 100;
  while (location != 0 && location < module.locations.size() && lines.size() < deepest) {
    const ptx::Location& at = module.locations[location];
    const ptx::SourceFile* file = module.find_file(at.file);
    const bool ours = file != nullptr && ends_with_name(file->name, source_name);
    if (ours && at.line != 0 && std::ranges::find(lines, at.line) == lines.end()) lines.push_back(at.line);
    if (at.inlined_at >= location) break;  // they point back
    location = at.inlined_at;
  }
  return lines;
}

}  // namespace

CodeLinks link_code(const KernelDescription& kernel) {
  CodeLinks links;
  links.ptx = std::make_shared<const std::string>(kernel.ptx);
  links.ptx_lines = lines_of(*links.ptx);
  links.source_of.assign(links.ptx_lines.size(), 0);
  links.entry_end = static_cast<uint32_t>(links.ptx_lines.size());
  const ptx::ParseResult parsed = ptx::parse(*links.ptx, kernel.source_name);
  if (!parsed.module) return links;
  for (const ptx::Function& function : parsed.module->functions) {
    if (function.name == kernel.entry) {
      links.entry_line = std::max(function.line, 1u);
      if (!function.instructions.empty()) links.entry_end = function.instructions.back().line + 1;
    }
    for (const ptx::Instruction& instruction : function.instructions) {
      if (instruction.line == 0 || instruction.line > links.source_of.size()) continue;
      const auto lines = source_lines(*parsed.module, instruction.location, kernel.source_name);
      if (!lines.empty()) links.source_of[instruction.line - 1] = lines.front();
      for (const uint32_t line : lines) {
        std::vector<uint32_t>& of = links.ptx_of[line];
        if (of.empty() || of.back() != instruction.line) of.push_back(instruction.line);
      }
    }
  }
  for (auto& [line, of] : links.ptx_of) {
    std::ranges::sort(of);
    of.erase(std::unique(of.begin(), of.end()), of.end());
  }
  return links;
}

}  // namespace warplens
