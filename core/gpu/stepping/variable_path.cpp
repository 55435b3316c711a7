#include "core/gpu/stepping/variable_path.h"
#include "core/base/text.h"
#include "core/gpu/stepping/call_stack.h"
#include "core/gpu/stepping/engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

namespace warplens::stepping {

namespace {

using debug::Type;

bool is_in_name(char c) { return begins_name(c) || (c >= '0' && c <= '9'); }

class PathParser {
 public:
  explicit PathParser(std::string_view text) : m_text(text), m_rest(text) {}

  Result<VariablePath> run() {
    VariablePath path;
    size_t stars = 0;
    for (; m_rest.starts_with('*'); m_rest.remove_prefix(1)) ++stars;
    path.name = word();
    if (path.name.empty()) return wrong("it begins with no name");
    while (!m_rest.empty()) {
      if (m_rest.starts_with('[')) {
        const Result<uint64_t> index = bracketed();
        if (!index) return index.error();
        path.steps.push_back({.index = *index});
        continue;
      }
      const size_t sign = m_rest.starts_with("->") ? 2 : m_rest.starts_with('.') ? 1 : 0;
      if (sign == 0) return wrong(fmt::format("\"{}\" is no part of a variable", m_rest));
      m_rest.remove_prefix(sign);
      path.steps.push_back({.member = word()});
      if (path.steps.back().member.empty()) return wrong("a member's name is missing");
    }
    path.steps.resize(path.steps.size() + stars);  // what the whole points to
    return path;
  }

 private:
  Error wrong(const std::string& why) const {
    return bad_input(
        fmt::format("\"{}\": {}; write a variable and perhaps a part of it, as in sum, p.x or "
                    "list[3]",
                    m_text.substr(0, 80), why));
  }

  std::string word() {
    size_t end = 0;
    while (end < m_rest.size() && (end == 0 ? begins_name(m_rest[0]) : is_in_name(m_rest[end]))) ++end;
    std::string text(m_rest.substr(0, end));
    m_rest.remove_prefix(end);
    return text;
  }

  Result<uint64_t> bracketed() {
    uint64_t index = 0;
    const size_t close = m_rest.find(']');
    if (close == m_rest.npos) return wrong("a ] is missing");
    const auto [end, error] = std::from_chars(m_rest.data() + 1, m_rest.data() + close, index);
    if (error != std::errc() || end != m_rest.data() + close)
      return wrong("only whole numbers can stand between [ and ]");
    m_rest.remove_prefix(close + 1);
    return index;
  }

  std::string_view m_text, m_rest;
};

const Type& type_of(const Engine& engine, const VariableView& view) {
  return debug::plain_type(engine.variable_table().info(), view.type_index);
}

std::optional<VariableView> only_part(const Engine& engine, uint32_t warp, const VariableView& view,
                                      uint64_t index) {
  std::vector<VariableView> parts = view_parts(engine, warp, view, index, 1);
  if (parts.empty()) return std::nullopt;
  return std::move(parts.front());
}

std::optional<VariableView> element_of(const Engine& engine, uint32_t warp, VariableView view,
                                       uint64_t index) {
  const Type& type = type_of(engine, view);
  if (type.kind == Type::Kind::array) return only_part(engine, warp, view, index);
  if (type.kind != Type::Kind::pointer) return std::nullopt;
  const uint64_t bytes = debug::type_bytes(engine.variable_table().info(), type.element);
  for (LaneBits& bits : view.bits) bits.low += index * bytes;
  return only_part(engine, warp, view, 0);
}

// A member of the structure or of one of its base classes, or of what a pointer points to.
std::optional<VariableView> member_of(const Engine& engine, uint32_t warp, VariableView view,
                                      const std::string& name, uint32_t depth = 0) {
  if (type_of(engine, view).kind == Type::Kind::pointer) {
    std::optional<VariableView> pointed = only_part(engine, warp, view, 0);
    if (!pointed) return std::nullopt;
    view = std::move(*pointed);
  }
  const Type& type = type_of(engine, view);
  constexpr uint32_t deepest = 16;
  if (type.kind != Type::Kind::structure || depth > deepest) return std::nullopt;
  for (size_t i = 0; i < type.members.size(); ++i)
    if (!type.members[i].is_base && type.members[i].name == name) return only_part(engine, warp, view, i);
  for (size_t i = 0; i < type.members.size(); ++i) {
    if (!type.members[i].is_base) continue;
    const std::optional<VariableView> base = only_part(engine, warp, view, i);
    std::optional<VariableView> found = base ? member_of(engine, warp, *base, name, depth + 1) : std::nullopt;
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

Result<VariablePath> parse_path(std::string_view text) { return PathParser(text).run(); }

std::optional<VariableView> find_path(const Engine& engine, uint32_t warp, const VariablePath& path,
                                      uint32_t lanes, const FrameView* frame) {
  std::optional<VariableView> view;
  if (frame != nullptr)
    for (VariableView& own : frame_variables(engine, warp, *frame))
      if (own.name == path.name) view = std::move(own);  // the innermost one is the last
  if (!view) view = find_variable(engine, warp, path.name, lanes);
  for (const VariablePath::Step& step : path.steps) {
    if (!view) break;
    view = step.member.empty() ? element_of(engine, warp, std::move(*view), step.index)
                               : member_of(engine, warp, std::move(*view), step.member);
  }
  return view;
}

}  // namespace warplens::stepping
