// The pages of a profile as text and as CSV, in the form of Nsight Compute's.
#pragma once

#include <span>
#include <string>

#include "core/job/report/profile/metric_table.h"
#include "core/job/report/profile/profile.h"

namespace warplens::profile {

enum class Page : uint8_t {
  details,  // sections, tables and rules
  raw,      // every metric by its name
  source,   // the lines of the kernel
};

std::string text_page(Page page, std::span<const LaunchProfile> profiles, const Selection& selection);
std::string csv_page(Page page, std::span<const LaunchProfile> profiles, const Selection& selection);

// The table of all metrics in docs/profile.md, as Markdown.
std::string metrics_page();

// The title above metrics that were selected by name.
constexpr const char* named_metrics_section = "Command line profiler metrics";
// The metrics of a selection, in the order of the table and each once.
std::vector<const Metric*> metrics_of(const Selection& selection);

}  // namespace warplens::profile
