// What the page does for the program (page/files.js): its script calls a browser, which C++ cannot.
#pragma once

#include <string>
#include <vector>

namespace warplens::host {

// Opens the browser's chooser for files of these endings (".cu,.ptx"; empty: any), or for a folder.
void ask_for_files(const std::string& endings, bool folder);
enum class Asked { waiting, answered };
// What was chosen: a path, empty where the chooser was closed.
Asked chosen_file(std::string& path);
// A file was dropped that dropped_files() has not given yet.
bool file_waits();
// Files that were dropped on the page since the last call.
std::vector<std::string> dropped_files();
// The clipboard, as far as the browser lets a page have it: what the person pasted last, or copied here.
void copy_text(const char* text);
const char* pasted_text();
// A file below this folder is handed to the person as a download, and is gone.
constexpr const char* folder_of_downloads = "/downloads";

}  // namespace warplens::host
