#include "core/streams/accesses.h"

#include <algorithm>

namespace warplens::streams {

namespace {

// Some tens of megabytes. Beyond it the notes of what the host has waited for go, then all.
constexpr size_t most_pieces = 1 << 16;

bool conflict(Access a, Access b) {
  return (a != Access::read || b != Access::read) && !(a == Access::atomic && b == Access::atomic);
}

}  // namespace

std::optional<Conflict> Accesses::conflict_in(uint64_t begin, const Piece& piece, Access access,
                                              const OperationPointer& operation, const Order& order) {
  for (const Note& note : piece.notes)
    if (conflict(note.access, access) && !order.is_before(note.operation->stamp, operation->stamp.line))
      return Conflict{note.operation, operation, note.access, access, {begin, piece.end}};
  return std::nullopt;
}

// What is ordered before a write need not be known after it: who is ordered after the write is after that
// too. So it is with a read and earlier reads.
void Accesses::note(Piece& piece, Access access, const OperationPointer& operation, const Order& order) {
  if (access == Access::write)
    piece.notes.clear();
  else
    std::erase_if(piece.notes, [&](const Note& note) {
      return note.access == access && order.is_before(note.operation->stamp, operation->stamp.line);
    });
  piece.notes.push_back({access, operation});
}

void Accesses::split(uint64_t at) {
  const auto after = m_pieces.upper_bound(at);
  if (after == m_pieces.begin()) return;
  const auto piece = std::prev(after);
  if (piece->first == at || piece->second.end <= at) return;
  m_pieces.emplace_hint(after, at, piece->second);
  piece->second.end = at;
}

void Accesses::shrink(const Order& order) {
  for (auto at = m_pieces.begin(); at != m_pieces.end();) {
    std::vector<Note>& notes = at->second.notes;
    std::erase_if(notes, [&](const Note& note) { return order.is_before(note.operation->stamp, host_line); });
    at = notes.empty() ? m_pieces.erase(at) : std::next(at);
  }
  if (m_pieces.size() >= most_pieces / 2) m_pieces.clear();
}

std::optional<Conflict> Accesses::add(Range range, Access access, const OperationPointer& operation,
                                      const Order& order) {
  if (range.begin >= range.end) return std::nullopt;
  if (m_pieces.size() >= most_pieces) shrink(order);
  split(range.begin);
  split(range.end);
  std::optional<Conflict> found;
  auto at = m_pieces.lower_bound(range.begin);
  for (uint64_t begin = range.begin; begin < range.end;) {
    const bool is_there = at != m_pieces.end() && at->first == begin;
    if (!is_there) {
      const uint64_t end = at == m_pieces.end() ? range.end : std::min(range.end, at->first);
      at = m_pieces.emplace_hint(at, begin, Piece{end, {}});
    }
    Piece& piece = at->second;
    if (!found) found = conflict_in(begin, piece, access, operation, order);
    note(piece, access, operation, order);
    begin = piece.end;
    ++at;
  }
  return found;
}

Accesses::Pieces::const_iterator Accesses::first_after(uint64_t address) const {
  const auto after = m_pieces.upper_bound(address);
  if (after == m_pieces.begin()) return after;
  const auto before = std::prev(after);
  return before->second.end > address ? before : after;
}

std::optional<Conflict> Accesses::find(Range range, Access access, const OperationPointer& operation,
                                       const Order& order) const {
  for (auto at = first_after(range.begin); at != m_pieces.end() && at->first < range.end; ++at) {
    if (auto found = conflict_in(at->first, at->second, access, operation, order)) {
      found->bytes = {std::max(range.begin, at->first), std::min(range.end, at->second.end)};
      return found;
    }
  }
  return std::nullopt;
}

std::vector<Accesses::Use> Accesses::uses(Range range, const Order& order) const {
  std::vector<Use> uses;
  for (auto at = first_after(range.begin); at != m_pieces.end() && at->first < range.end; ++at) {
    Use use{{std::max(range.begin, at->first), std::min(range.end, at->second.end)}, false};
    bool is_used = false;
    for (const Note& note : at->second.notes) {
      if (order.is_before(note.operation->stamp, host_line)) continue;
      is_used = true;
      use.written = use.written || note.access != Access::read;
    }
    if (!is_used) continue;
    if (!uses.empty() && uses.back().range.end == use.range.begin && uses.back().written == use.written)
      uses.back().range.end = use.range.end;
    else
      uses.push_back(use);
  }
  return uses;
}

void Accesses::forget(Range range) {
  split(range.begin);
  split(range.end);
  m_pieces.erase(m_pieces.lower_bound(range.begin), m_pieces.lower_bound(range.end));
}

}  // namespace warplens::streams
