// Which operation read and wrote which bytes last, and whether an access conflicts with one of those: they
// touch the same byte, one of them writes it, and neither is ordered before the other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/recording/journal.h"
#include "core/streams/order.h"

namespace warplens::streams {

// Addresses from `begin` up to but not including `end`.
struct Range {
  uint64_t begin = 0, end = 0;
};

// Atomic operations of two kernels do not conflict with each other (CUDA C++ Programming Guide, "Atomic
// Functions").
enum class Access : uint8_t { read, write, atomic };

struct Operation {
  enum class Kind : uint8_t { kernel, copy, set, library, free, host_function, host_access } kind{};
  Stamp stamp;
  std::string name;                // of a kernel or a library's function: "add"; of a copy its direction
  uint64_t stream = 0;             // its number in the journal; 0: the default stream
  std::optional<int> device = {};  // of its stream; empty if there is only one
  const recording::HostPlace* place = nullptr;  // null: not known
  uint64_t work = 0;                            // Journal::next_work; 0: it has no line of its own there
};
using OperationPointer = std::shared_ptr<const Operation>;

struct Conflict {
  OperationPointer first, second;
  Access first_access{}, second_access{};
  Range bytes;  // that both touched, the first of them
};

class Accesses {
 public:
  // Notes an access of the newest operation of its line. The conflict with an earlier one, if there is one.
  std::optional<Conflict> add(Range range, Access access, const OperationPointer& operation,
                              const Order& order);
  // The same without a note, for the host, after whose accesses every later operation is ordered.
  std::optional<Conflict> find(Range range, Access access, const OperationPointer& operation,
                               const Order& order) const;
  // The bytes that operations may still use which the host has not waited for, in order; `written`: one of
  // them writes them.
  struct Use {
    Range range;
    bool written = false;
  };
  std::vector<Use> uses(Range range, const Order& order) const;
  void forget(Range range);  // its memory was freed or is new
  // Every operation so far is over.
  void forget_all() { m_pieces.clear(); }
  size_t pieces() const { return m_pieces.size(); }

 private:
  struct Note {
    Access access;
    OperationPointer operation;
  };
  struct Piece {
    uint64_t end = 0;
    std::vector<Note> notes;
  };
  using Pieces = std::map<uint64_t, Piece>;  // by their first address
  static std::optional<Conflict> conflict_in(uint64_t begin, const Piece& piece, Access access,
                                             const OperationPointer& operation, const Order& order);
  Pieces::const_iterator first_after(uint64_t address) const;  // the first piece that ends after it
  static void note(Piece& piece, Access access, const OperationPointer& operation, const Order& order);
  void split(uint64_t at);
  void shrink(const Order& order);

  Pieces m_pieces;
};

}  // namespace warplens::streams
