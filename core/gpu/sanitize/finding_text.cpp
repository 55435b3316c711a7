// The text of a finding: what happened, where, and what to do.
#include <fmt/format.h>

#include "core/base/figures.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/sanitize/findings.h"
#include "core/gpu/sanitize/update.h"
#include "core/launch/footprint.h"

namespace warplens::sanitize {

namespace {

std::string triple(Dim3 p) { return fmt::format("({},{},{})", p.x, p.y, p.z); }

std::string byte_count(uint64_t value) { return thousands(value) + (value == 1 ? " byte" : " bytes"); }

Dim3 block_of(const Finding& finding, const Side& side) { return position_at(side.block, finding.grid); }
Dim3 thread_of(const Finding& finding, const Side& side) {
  return position_at(side.thread, finding.block_extent);
}

std::string who(const Finding& finding, const Side& side) {
  return fmt::format("block {} thread {}", triple(block_of(finding, side)), triple(thread_of(finding, side)));
}

const char* verb_past(AccessKind access) {
  return access == AccessKind::load    ? "has read"
         : access == AccessKind::store ? "has written"
                                       : "has updated";
}

// "bytes 8 to 11 of tile (1,024 bytes)".
std::string what(const Finding& finding) {
  const std::string range = finding.bytes == 1 ? fmt::format("byte {}", thousands(finding.offset))
                                               : fmt::format("bytes {} to {}", thousands(finding.offset),
                                                             thousands(finding.offset + finding.bytes - 1));
  std::string place = range;
  if (finding.allocation.empty()) {
    place += fmt::format(" of {} memory", to_string(finding.space));
  } else {
    place += " of " + finding.allocation;
    if (finding.allocation_bytes != 0) place += fmt::format(" ({})", byte_count(finding.allocation_bytes));
  }
  return place;
}

std::string value_clause(const Side& side) {
  if (side.value.empty()) return "";
  return fmt::format(", the value {},", side.value);
}

std::string race_sentence(const Finding& finding) {
  return fmt::format(
      "{} {} {}{} and {} {} it in {} with nothing that orders the two, so the value that is stored or read "
      "is undefined. {}",
      who(finding, finding.side), verb_of(finding.side.access), what(finding), value_clause(finding.side),
      who(finding, finding.other), verb_past(finding.other.access), line_text(finding, finding.other),
      race_remedy(finding));
}

// Whether the value is only read to add to it.
bool is_updated(const Finding& finding) {
  return finding.side.access == AccessKind::atomic ||
         update_of(finding.places->program(), finding.side.instruction) != Update::none;
}

const char* shared_remedy(const Finding& finding) {
  return is_updated(finding)
             ? "Let one thread set it to zero, then __syncthreads(): shared memory is not cleared."
             : "Write it first, and __syncthreads() where another thread does: shared memory is not cleared.";
}

std::string uninitialized_sentence(const Finding& finding) {
  if (!finding.detail.empty())
    return fmt::format(
        "{} uses the register {}, which this thread has not written. Give the variable a value on "
        "every way that leads here.",
        who(finding, finding.side), finding.detail);
  if (finding.was_stored)
    return fmt::format(
        "{} reads {}{}, where a thread stored a value that was undefined itself. Give each part of that "
        "value "
        "a number before it is stored.",
        who(finding, finding.side), what(finding), value_clause(finding.side));
  const char* remedy =
      finding.space == Space::shared   ? shared_remedy(finding)
      : finding.space == Space::local  ? "Give the variable a value before it is read."
      : finding.allocation == "malloc" ? "Write it first: malloc() does not clear what it gives."
      : is_updated(finding)
          ? "Set it to zero with cudaMemset before the launch: allocated memory is not cleared."
          : "Copy data to it, or cudaMemset it, before the launch: allocated memory is not cleared.";
  return fmt::format("{} reads {}{}, which no thread has written. {}", who(finding, finding.side),
                     what(finding), value_clause(finding.side), remedy);
}

std::string leak_sentence(const Finding& finding) {
  return fmt::format(
      "{} allocates {} with malloc, and they are not freed until the program ends. Call free() for each "
      "malloc(): the heap of kernels lasts as long as the program.",
      who(finding, finding.side), byte_count(finding.bytes));
}

std::string sentence(const Finding& finding) {
  switch (finding.kind) {
    case IncidentKind::race:
      return race_sentence(finding);
    case IncidentKind::uninitialized:
      return uninitialized_sentence(finding);
    case IncidentKind::division_by_zero:
      return fmt::format(
          "{} divides an integer by zero, which stops nothing and gives a meaningless number. Test "
          "the divisor first.",
          who(finding, finding.side));
    case IncidentKind::leak:
      return leak_sentence(finding);
    case IncidentKind::wrong_allocation:
      return fmt::format("{} {} {} {}", who(finding, finding.side), verb_of(finding.side.access),
                         what(finding), finding.detail);
    default:  // mask and shuffle
      return fmt::format("{} {}", who(finding, finding.side), finding.detail);
  }
}

Incident incident_of(const Finding& finding, const Side& side) {
  const program::Program& program = finding.places->program();
  Incident incident;
  incident.kind = finding.kind;
  set_place(incident, program, side.instruction);
  incident.block = block_of(finding, side);
  incident.thread = thread_of(finding, side);
  incident.address = finding.address;
  incident.bytes = finding.bytes;
  incident.allocation = finding.allocation;
  if (finding.bytes != 0) incident.offset = finding.offset;
  incident.value = side.value;
  return incident;
}

}  // namespace

Incident describe(const Finding& finding) {
  Incident incident = incident_of(finding, finding.side);
  incident.message = sentence(finding) + header_words(finding.places->program(), finding.side.instruction);
  incident.count = finding.count;
  if (!finding.has_other) return incident;
  auto other = std::make_shared<Incident>(incident_of(finding, finding.other));
  other->message = fmt::format("{} {} it.", who(finding, finding.other), verb_past(finding.other.access));
  incident.other = std::move(other);
  return incident;
}

}  // namespace warplens::sanitize
