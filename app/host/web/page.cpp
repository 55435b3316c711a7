#include "app/host/web/page.h"

#include <cstdlib>

#include "app/host/window.h"

// These are in page_calls.js. Texts are allocated by malloc; null means none.
extern "C" {
void warplens_ask_for_files(const char* endings, int folder, int several);
char* warplens_chosen_file();
int warplens_something_waits();
void warplens_want_text(int wanted);
char* warplens_typed_text();
char* warplens_dropped_file();
char* warplens_address();
void warplens_copy_text(const char* text);
char* warplens_pasted_text();
void warplens_begin_again();
}

namespace warplens::host {
namespace {

bool take(char* text, std::string& to) {
  if (text == nullptr) return false;
  to = text;
  std::free(text);
  return true;
}

}  // namespace

void ask_for_files(const std::string& endings, Chooser chooser) {
  warplens_ask_for_files(endings.c_str(), chooser == Chooser::folder ? 1 : 0,
                         chooser == Chooser::files ? 1 : 0);
}

Asked chosen_file(std::string& path) {
  return take(warplens_chosen_file(), path) ? Asked::answered : Asked::waiting;
}

bool something_waits() { return warplens_something_waits() != 0; }

std::vector<std::string> dropped_files() {
  std::vector<std::string> all;
  for (std::string path; take(warplens_dropped_file(), path);) all.push_back(path);
  return all;
}

void want_text(bool wanted) { warplens_want_text(wanted ? 1 : 0); }

std::vector<std::string> typed_text() {
  std::vector<std::string> all;
  for (std::string piece; take(warplens_typed_text(), piece);) all.push_back(piece);
  return all;
}

void copy_text(const char* text) { warplens_copy_text(text); }

const char* pasted_text() {
  static std::string text;
  take(warplens_pasted_text(), text);
  return text.c_str();
}

std::string address_of_page() {
  std::string address;
  take(warplens_address(), address);
  return address;
}

void begin_again() { warplens_begin_again(); }

}  // namespace warplens::host
