// The kernel by NVIDIA's compiler and by clang, next to the source: what differs in cost, and the PTX of
// both.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "app/widgets/built.h"
#include "app/widgets/panel.h"

namespace warplens {

struct ComparedKey {
  std::string kernel;
  std::shared_ptr<const KernelDescription> own;  // null: a built-in kernel
  std::string copy_of, device;
  bool operator==(const ComparedKey&) const = default;
};
struct MadePtx {
  std::string compiler, text;
  size_t entry_line = 0;  // of `text`, from 0
};
struct ComparedCompilers {
  std::string text, error;  // `error` says why there is no comparison
  MadePtx first, second;
};

struct CompilersState {
  Built<ComparedKey, ComparedCompilers> made;
  // A kernel that runs for long does not hold up the window's end.
  struct Stop {
    std::stop_source source;
    ~Stop() { source.request_stop(); }
  } stop;  // declared after `made`, whose thread it ends
};

// Whether the chosen kernel has a text in CUDA C++ that can be compiled again.
bool can_compare_compilers(const AppState& state);
// Asks for the comparison, and draws what is there of it.
void draw_compilers(const AppState& state, CompilersState& own);

}  // namespace warplens
