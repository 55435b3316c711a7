// Reads the values of variables out of registers and memory. Private to core/gpu/stepping.
#pragma once

#include <optional>
#include <string>

#include "core/gpu/stepping/engine/engine.h"
#include "core/gpu/stepping/variable_view.h"

namespace warplens::stepping {

bool is_scalar(const debug::Type& type);
// CUDA's 16-bit floats are structures of one member; they are shown as numbers.
std::optional<ptx::Modifier> half_type(const debug::Type& type);
inline bool is_half(const debug::Type& type) { return half_type(type).has_value(); }
// The bytes of a view's value. For a row of an array, only those of the row.
uint64_t bytes_of(const debug::DebugInfo& info, const VariableView& view);

// To read a caller's variables, the reader is given the frame of its call: if the callee may overwrite the
// caller's registers, they are saved in that frame until it returns.
class VariableReader {
 public:
  VariableReader(const Engine& engine, uint32_t warp, const exec::CallFrame* frame = nullptr)
      : m_engine(engine), m_warp(engine.block().warps()[warp]), m_number(warp), m_frame(frame) {
    if (frame != nullptr) find_saved();
  }

  const debug::DebugInfo& info() const { return m_engine.variable_table().info(); }
  // A variable of the table in these lanes.
  VariableView view(uint32_t variable, uint32_t lanes) const;
  // A variable that all lanes share, as these lanes see it.
  VariableView view(const CommonVariable& variable, uint32_t lanes) const;
  // Appends the variables of a scope of the table, except those in shared memory: see shared_arrays.h. With a
  // name, only those with that name.
  void add(uint32_t scope, uint32_t lanes, std::optional<std::string_view> name,
           std::vector<VariableView>& views) const;
  // Fills in one lane of a view whose bytes are at an address of a space, or at a generic address.
  void read(VariableView& view, uint32_t lane, VariableView::Where where, uint64_t address) const;
  void read_generic(VariableView& view, uint32_t lane, uint64_t address) const;
  // Fills in what follows from the type. A reference becomes what it refers to.
  void finish(VariableView& view) const;

 private:
  const std::byte* find(VariableView::Where where, uint32_t lane, uint64_t address, uint64_t bytes) const;
  const VariablePlace& first_or(const NamedVariable& named, uint32_t lane, const VariablePlace& place) const;
  void read_place(VariableView& view, uint32_t lane, const VariablePlace& place) const;
  void follow_reference(VariableView& view) const;
  std::string type_text(const VariableView& view) const;
  std::string place_text(const VariablePlace& place) const;
  PlaceNumber place_number(const NamedVariable& named, uint32_t variable, uint32_t lane) const;
  void find_saved();
  const std::byte* rows_at(uint32_t slot) const;
  bool is_set(uint32_t reg, uint32_t lane) const;

  const Engine& m_engine;
  const exec::Warp& m_warp;
  uint32_t m_number = 0;
  const exec::CallFrame* m_frame = nullptr;
  // The call site of a caller whose registers were saved; null otherwise.
  const program::CallSite* m_saved = nullptr;
  const std::vector<uint32_t>* m_saved_set = nullptr;
  const std::vector<PlaceNumber>* m_saved_places = nullptr;
  uint32_t m_caller = 0;  // index in Program::functions
};

}  // namespace warplens::stepping
