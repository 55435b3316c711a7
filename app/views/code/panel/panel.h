// The Code view in the window: the source in an editor, PTX or another library's form next to it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/views/code/change.h"
#include "app/views/code/forms.h"
#include "app/views/code/links.h"
#include "app/views/code/panel/compilers_panel.h"
#include "app/widgets/built.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/panel.h"
#include "app/widgets/parts.h"
#include "app/widgets/save_popup.h"

namespace warplens {

struct CodeEditor;  // the text editor's own state (editor_panel.h)

struct LinksKey {
  std::string kernel;
  std::shared_ptr<const KernelDescription> own;
  bool operator==(const LinksKey&) const = default;
};
struct LinksOfKernel {
  LinksKey key;
  CodeLinks links;
};

struct CodePanelState {
  std::shared_ptr<CodeEditor> editor;
  Built<LinksKey, LinksOfKernel> links;
  Built<std::pair<std::string, std::string>, SourceChange> change;  // of the kernels by name: before and now
  bool show_source = true;                                          // if there is room for only one side
  ShownPart part;
  std::optional<CodeForm> form;  // next to the source; empty for PTX
  bool compares = false;         // instead: both compilers
  CompilersState compilers;
  uint32_t scrolled_to = 0;  // the line whose PTX is visible
  TextureCache textures;
  SavePopupState save;

  static auto built(auto& own) { return std::tie(own.links, own.compilers.made); }
};

void draw_code(const AppState& state, CodePanelState& own, Actions& actions);

}  // namespace warplens
