// The dialogs that ask for a file: what each offers, and what its answer does. The desktop's own dialogs and
// the window's list of files both read this table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/actions.h"

namespace warplens {

struct AppState;

struct FileDialog {
  Dialog dialog;
  enum class For : uint8_t { opening, saving, folder } what;  // a folder may also be named by a file in it
  const char *title, *kind;                                   // "Save result", "A picture"
  std::vector<std::string_view> endings;
  Action (*answer)(const std::string& path);

  bool saves() const { return what == For::saving; }
  // "A picture: .png, .jpg"
  std::string words() const;
};

// Null for a dialog that asks for something else.
const FileDialog* find_file_dialog(Dialog dialog);

// The name that is proposed for what is saved; empty for what is opened.
std::string proposed_name(const AppState& state, Dialog dialog);

}  // namespace warplens
