// The values of a thread as an editor shows them: scopes, variables and their parts. Numbers that name them
// are valid until the block moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/debug/debuggee.h"
#include "core/base/json/json.h"
#include "core/base/result.h"
#include "core/gpu/stepping/access_log.h"

namespace warplens::dap {

// What a data breakpoint watches.
struct Watched {
  std::optional<Space> space;  // none: `name` is a variable of each lane
  uint64_t address = 0, bytes = 0;
  std::string name;
};

class Values {
 public:
  void forget() { m_handles.clear(); }
  Json scopes(const Debuggee& debuggee, uint32_t thread, const std::optional<stepping::FrameView>& frame);
  // The variables of a scope, or the parts of a variable: `count` from `start` on; 0 for all, up to the most
  // that are shown at once.
  Result<Json> variables(const Debuggee& debuggee, uint64_t reference, uint64_t start, uint64_t count);
  // A variable with its parts, or the value of an expression, as the thread has it.
  Result<Json> evaluate(const Debuggee& debuggee, std::string_view text, uint32_t thread,
                        const std::optional<stepping::FrameView>& frame);
  // What a name means in a scope or in a variable; without a reference, in the thread's innermost frame.
  Result<Watched> watched(const Debuggee& debuggee, uint64_t reference, const std::string& name,
                          uint32_t thread);

 private:
  struct Handle {
    enum class Kind : uint8_t {
      locals,
      arguments,
      shared,
      memory,
      built_in,
      registers,
      parts,
      elements,
      array
    };
    Kind kind = Kind::locals;
    uint32_t thread = 0;
    std::optional<stepping::FrameView> frame = {};
    stepping::VariableView view = {};  // parts, elements
    std::string path = {};             // of the view: "p.x"
    stepping::NamedArray array = {};   // array
    uint64_t count = 0;                // elements, array
  };
  uint64_t add(Handle handle);
  Json of_view(const Debuggee& debuggee, const Handle& within, const stepping::VariableView& view,
               const std::string& name, const std::string& path);
  Json of_array(const Debuggee& debuggee, const stepping::NamedArray& array, uint32_t thread);
  Json element(const Debuggee& debuggee, const stepping::NamedArray& array, uint64_t index) const;
  Json of_scope(const Debuggee& debuggee, const Handle& handle, uint64_t start, uint64_t count);
  Json parts(const Debuggee& debuggee, const Handle& handle, uint64_t start, uint64_t count);

  std::vector<Handle> m_handles;
};

constexpr uint64_t most_variables_at_once = 1000;

// The frame of a thread, counted from the innermost one. Empty if it has exited.
std::optional<stepping::FrameView> frame_of(const stepping::BlockStepper& stepper, uint32_t thread,
                                            size_t number);

}  // namespace warplens::dap
