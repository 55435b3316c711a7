// The list of findings: one for each place, with a count. Its length is limited.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "core/gpu/sanitize/places.h"
#include "core/launch/run_result.h"

namespace warplens::sanitize {

// One thread at one instruction.
struct Side {
  uint32_t instruction = 0;
  uint64_t block = 0;  // linear
  uint32_t thread = 0;
  AccessKind access = AccessKind::load;
  std::string value;  // empty if not known
  bool is_pending = false;
  bool through_texture = false;
};

// How far apart the two threads of a race are.
enum class Reach : uint8_t { warp, block, grid };

struct Finding {
  IncidentKind kind = IncidentKind::race;
  const Places* places = nullptr;
  Dim3 grid, block_extent;
  Side side, other;  // other: only for a race
  bool has_other = false;
  Reach reach = Reach::warp;  // of a race: the widest at this place
  Space space = Space::global;
  uint64_t address = 0;
  uint32_t bytes = 0;
  std::string allocation;  // empty if it has no name
  uint64_t offset = 0, allocation_bytes = 0;
  std::string detail;
  bool was_stored = false;  // of an uninitialised read: a thread stored there, but an undefined value
  uint64_t count = 1;
  uint64_t launch = 0;
};

class Findings {
 public:
  // The largest number of places that are listed.
  static constexpr size_t most = 1000;

  // Counts a finding. `build` fills in the rest if it is the first at its place, or if its thread comes
  // before the one that is named.
  template <class Build>
  void add(const Finding& found, Build build) {
    const std::scoped_lock lock(m_mutex);
    const Place& place = (*found.places)[found.side.instruction];
    const uint64_t other = found.has_other ? (*found.places)[found.other.instruction].line_key : 0;
    // The same two sides in the other order are the same finding.
    const Key key{found.places, found.kind, std::min(place.line_key, other), std::max(place.line_key, other)};
    const auto at = m_found.find(key);
    if (at == m_found.end()) {
      if (m_found.size() >= most) return;
      Finding made = found;
      build(made);
      m_found.emplace(key, std::move(made));
      return;
    }
    ++at->second.count;
    at->second.reach = std::max(at->second.reach, found.reach);
    if (!comes_before(found, at->second)) return;
    Finding made = found;
    build(made);
    made.count = at->second.count;
    made.reach = at->second.reach;
    at->second = std::move(made);
  }
  // All findings, in the order of the launches and of the PTX.
  std::vector<Incident> incidents() const;
  void clear() { m_found.clear(); }

 private:
  using Key = std::tuple<const void*, IncidentKind, uint64_t, uint64_t>;
  static bool comes_before(const Finding& a, const Finding& b);

  mutable std::mutex m_mutex;
  std::map<Key, Finding> m_found;
};

// Turns a finding into an incident for the report, with a sentence that names a remedy.
Incident describe(const Finding& finding);

// The remedy for a race: a sentence or two that fit this case.
std::string race_remedy(const Finding& finding);
// "line 12", "line 12 of a.cuh" if the finding's own line is in another file, or "line 40 of the PTX" if no
// line of the source is known.
std::string line_text(const Finding& finding, const Side& side);

}  // namespace warplens::sanitize
