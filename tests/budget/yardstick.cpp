// The work that tools/budget measures a machine by: headers, templates and the optimiser, as in our own
// files. It stays as it is, because the budgets are multiples of the time that it takes to compile.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

template <int N>
struct Row {
  std::map<std::string, std::vector<std::variant<int, double, std::string>>> cells;
  std::function<std::optional<std::string>(const std::string&)> find = [this](const std::string& name) {
    const auto cell = cells.find(name + std::to_string(N));
    if (cell == cells.end() || cell->second.empty()) return std::optional<std::string>();
    return std::visit(
        [](const auto& value) -> std::optional<std::string> {
          std::ostringstream text;
          text << value;
          return text.str();
        },
        cell->second.front());
  };
  size_t sorted() {
    size_t all = 0;
    for (auto& [name, values] : cells) {
      std::stable_sort(values.begin(), values.end());
      all += std::accumulate(values.begin(), values.end(), name.size(),
                             [](size_t sum, const auto& value) { return sum + value.index(); });
    }
    return all;
  }
};

template <int... N>
size_t all_rows(const std::string& text, std::integer_sequence<int, N...>) {
  size_t sum = 0;
  ((sum +=
    [&] {
      Row<N> row;
      row.cells[text].push_back(N);
      std::unordered_map<std::string, std::set<std::array<int, N + 1>>> sets;
      sets[text].insert({});
      return row.sorted() + row.find(text).value_or("").size() + sets.size();
    }()),
   ...);
  return sum;
}

size_t yardstick(const std::string& text) {
  const std::regex words("[a-z]+|[0-9]+");
  const auto found =
      std::distance(std::sregex_iterator(text.begin(), text.end(), words), std::sregex_iterator());
  return static_cast<size_t>(found) + all_rows(text, std::make_integer_sequence<int, 6>()) +
         std::filesystem::path(text).string().size();
}
