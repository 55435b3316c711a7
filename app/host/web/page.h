// What the page does for the program (page/files.js). C++ cannot call the browser's functions; the page's
// script can.
#pragma once

#include <string>
#include <vector>

namespace warplens::host {

// Opens the browser's chooser for files with these endings (".cu,.ptx"; empty: any), or for a folder. If the
// user chooses several files, dropped_files() gives them.
enum class Chooser { file, files, folder };
void ask_for_files(const std::string& endings, Chooser chooser);
enum class Asked { waiting, answered };
// The chosen path; empty if the user closed the chooser.
Asked chosen_file(std::string& path);
// Whether there is a dropped file that dropped_files() has not given yet, or text from the screen's keyboard.
bool something_waits();
// Files that were dropped on the page since the last call.
std::vector<std::string> dropped_files();
// Tells whether a text field is active. If so, a touch screen shows its keyboard.
void want_text(bool wanted);
// The text typed there since the last call, in pieces: text, or "\b" for one Backspace.
std::vector<std::string> typed_text();
// The clipboard, as far as a browser gives it to a page: the text that the user last pasted, or copied here.
void copy_text(const char* text);
const char* pasted_text();

}  // namespace warplens::host
