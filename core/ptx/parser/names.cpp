#include "core/ptx/parser/names.h"
#include "core/base/text.h"

#include <algorithm>

namespace warplens::ptx {

namespace {

// Splits after the first `begin` characters; digits follow.
std::optional<NumberedName> split_at(std::string_view name, size_t begin) {
  constexpr size_t k_max_digits = 9;
  const size_t digits = name.size() - begin;
  if (digits == 0 || digits > k_max_digits || (digits > 1 && name[begin] == '0')) return std::nullopt;
  uint32_t number = 0;
  for (size_t i = begin; i < name.size(); ++i) number = number * 10 + static_cast<uint32_t>(name[i] - '0');
  return NumberedName{name.substr(0, begin), number};
}

std::optional<NumberedName> split_later(std::string_view name, size_t begin) {
  for (; begin < name.size(); ++begin) {
    if (const auto split = split_at(name, begin)) return split;
  }
  return std::nullopt;
}

}  // namespace

std::optional<NumberedName> split_number(std::string_view name) {
  size_t begin = name.size();
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  return split_at(name, begin);
}

bool Scope::add(std::string_view name, Name value) {
  if (find_range(name) != nullptr || !m_names.emplace(name, value).second) return false;
  if (const auto numbered = split_number(name)) {
    const auto [entry, added] = m_smallest_numbered.emplace(numbered->prefix, numbered->number);
    if (!added) entry->second = std::min(entry->second, numbered->number);
  }
  return true;
}

bool Scope::add_range(const RegisterRange& range) {
  const auto smallest = m_smallest_numbered.find(range.prefix);
  if (smallest != m_smallest_numbered.end() && smallest->second < range.count) return false;
  if (is_digit(range.prefix.back())) m_has_prefix_with_digit = true;
  return m_ranges.emplace(range.prefix, range).second;
}

const Name* Scope::find(std::string_view name) const {
  const auto found = m_names.find(name);
  return found == m_names.end() ? nullptr : &found->second;
}

const RegisterRange* Scope::find_range(std::string_view name) const {
  if (m_ranges.empty()) return nullptr;
  auto numbered = split_number(name);
  if (!numbered && m_has_prefix_with_digit) numbered = split_later(name, 1);
  while (numbered) {
    const auto found = m_ranges.find(numbered->prefix);
    if (found != m_ranges.end() && numbered->number < found->second.count) return &found->second;
    if (!m_has_prefix_with_digit) return nullptr;
    numbered = split_later(name, numbered->prefix.size() + 1);
  }
  return nullptr;
}

std::optional<uint32_t> Scope::find_label(std::string_view name) const {
  const auto found = m_labels.find(name);
  if (found == m_labels.end()) return std::nullopt;
  return found->second;
}

}  // namespace warplens::ptx
