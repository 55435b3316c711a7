// The actions outside of the state that update() requests, in order. perform() (app/worker/perform.h) does
// it; what comes of it comes back as actions.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/state/parts/frame.h"

namespace warplens {

struct ClassReport;  // app/classroom

namespace effect {

struct CancelRun {};  // or the compilation, or what is added to the last run
struct CancelSweeps {};

struct LoadPicture {
  std::string name_or_path;  // of a sample, or a file
};
struct SavePicture {
  std::string path;
};
struct SaveViews {
  std::string path;
};
struct SaveSource {
  std::string path, text;
};
struct ReadProgram {
  std::string path;
};
struct SaveProgram {
  std::string path, text;
  std::string before;  // what the file has, unless another program has changed it
};
struct SaveHandIn {
  std::string path, text;
};
struct SaveRecording {
  std::string path;
  std::shared_ptr<const std::vector<std::byte>> bytes;
};
struct OpenSession {
  std::string path;
};
struct SaveSession {
  std::string path;
};
struct OpenFolder {
  std::string path;    // of the folder of a lesson or a challenge, or of a file in it
  bool again = false;  // it is open already
};
struct ReadClass {
  std::string folder;
  bool names = false, judge = false;
};
struct SaveClassPage {
  std::string path;
  std::shared_ptr<const ClassReport> report;
};
struct SaveLesson {
  std::string folder, text;  // of its lesson.md
};
struct ShowFolder {
  std::string path;
};

// These are the window's.
struct AskFile {
  Dialog dialog = Dialog::none;  // of app/state/files/file_dialogs.h
};
struct CopyLink {
  std::string text;  // the part after the page's address
};
struct ForgetProgress {};
struct ForgetAll {};
struct ResetLayout {};
struct Quit {};

}  // namespace effect

using Effect = std::variant<effect::CancelRun, effect::CancelSweeps, effect::LoadPicture, effect::SavePicture,
                            effect::SaveViews, effect::SaveSource, effect::ReadProgram, effect::SaveProgram,
                            effect::SaveHandIn, effect::SaveRecording, effect::OpenSession,
                            effect::SaveSession, effect::SaveLesson, effect::ReadClass, effect::SaveClassPage,
                            effect::OpenFolder, effect::ShowFolder, effect::AskFile, effect::CopyLink,
                            effect::ForgetProgress, effect::ForgetAll, effect::ResetLayout, effect::Quit>;

struct Effects {
  std::vector<Effect> waiting;  // to be performed, oldest first

  void add(Effect effect) { waiting.push_back(std::move(effect)); }
  // The newest of a kind. Null: none waits.
  template <class Kind>
  const Kind* newest() const {
    for (size_t i = waiting.size(); i-- > 0;)
      if (const Kind* found = std::get_if<Kind>(&waiting[i])) return found;
    return nullptr;
  }
};

}  // namespace warplens
