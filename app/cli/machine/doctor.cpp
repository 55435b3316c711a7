// warplens doctor: what the program found on this machine, and what to do about what is missing.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/cli/machine/machine_report.h"
#include "app/cli/shared/commands.h"
#include "core/base/json/json_values.h"
#include "core/job/report/report_fields.h"

namespace warplens {

namespace {

// Which parts are needed for what.
constexpr std::pair<const char*, const char*> needed_for[] = {
    {"built-in kernels, lessons, PTX files", "none of these parts"},
    {"kernels of your own, challenges", "compiler or clang"},
    {"programs in CUDA C++ with a main()", "programs: nvcc with g++, or clang"},
    {"programs in Python", "a Python with Numba, PyCUDA or CuPy"},
    {"grading answers of others", "grading: bubblewrap"},
    {"the window", "graphics"},
};

void print_parts(const std::vector<MachinePart>& parts, Cli& cli) {
  for (const MachinePart& part : parts) {
    cli.out << fmt::format("{} {:<12}{}\n", part.missing.empty() ? "found  " : "missing", part.name,
                           part.missing.empty() ? part.found : part.missing);
    if (!part.place.empty()) cli.out << fmt::format("{:<20}{}\n", "", part.place);
  }
  const auto absent =
      std::count_if(parts.begin(), parts.end(), [](const MachinePart& part) { return part.found.empty(); });
  cli.out << (absent == 0 ? "Everything is here.\n"
                          : "The built-in kernels run on the virtual GPU without the missing parts.\n");
  cli.out << "Needed for\n";
  for (const auto& [work, need] : needed_for) cli.out << fmt::format("  {:<40}{}\n", work, need);
}

ReportJson parts_json(const std::vector<MachinePart>& parts) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? ReportJson(nullptr) : ReportJson(text);
  };
  ReportJson list = ReportJson::array();
  for (const MachinePart& part : parts)
    list.push_back({{"name", part.name},
                    {"found", text_or_null(part.found)},
                    {"path", text_or_null(part.place)},
                    {"missing", text_or_null(part.missing)}});
  return {{"schema", 1}, {"parts", std::move(list)}};
}

}  // namespace

CliCommand doctor_command(Cli& cli) {
  const auto json = std::make_shared<bool>(false);
  return {"doctor",
          "Say what was found on this machine, what is missing, and what to do about it",
          {{"--json", json.get(), "Print JSON"}},
          [json, &cli] {
            const std::vector<MachinePart> parts = machine_parts(cli);
            if (*json)
              cli.out << json_values::indented(parts_json(parts));
            else
              print_parts(parts, cli);
            return Result<void>();
          }};
}

}  // namespace warplens
