// Own kernels: their text, its compilation, and the file that it stands in.
#include "app/state/parts/code.h"

#include <algorithm>
#include <filesystem>

#include "app/state/code/offered_code.h"
#include "app/state/code/page_files.h"
#include "app/state/reducers/code.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/select.h"
#include "app/state/reducers/setup.h"
#include "app/user_program/program_file.h"
#include "core/base/diagnostic.h"
#include "core/job/files/own_kernel_file.h"
#include "core/kernels/own/annotation.h"

namespace warplens::detail {
namespace {

void keep_text(AppState& state) {
  if (state.code.is_draft()) state.drafts.codes[key_of(state.code)] = state.code;
}

// Shows another text in place of the current one. If that text has unsaved edits from before, these come
// back.
void show_text(AppState& state, CodeState next) {
  const uint64_t serial = state.code.text_serial + 1;
  keep_text(state);
  const auto left = state.drafts.codes.find(key_of(next));
  if (left != state.drafts.codes.end()) {
    next.text = left->second.text;
    state.drafts.codes.erase(left);
  }
  state.code = std::move(next);
  state.code.text_serial = serial;
}

void ask_compilation(AppState& state) {
  state.code.wanted = state.runs.next_serial++;
  state.code.edited_s.reset();
  state.runs.now.wanted = 0;
  state.runs.now.stale_because = "Compiling";
}

void forget_resources(AppState& state, const std::string& kernel) {
  std::erase_if(state.setup.known_resources,
                [&](const auto& known) { return known.first.first.starts_with(kernel); });
}

// The compiled kernel replaces its previous version, or the kernel that was chosen before.
void take_compiled(AppState& state, const std::shared_ptr<const KernelDescription>& kernel) {
  const bool same = state.setup.own_kernel && state.setup.own_kernel->name == kernel->name &&
                    state.setup.own_kernel->path == kernel->path;
  const bool copy = !same && state.setup.kernel && state.code.copy_of == state.setup.kernel->name;
  const bool renamed =
      state.setup.own_kernel && state.setup.own_kernel->source == kernel->source;  // saved under a name
  if (same || copy || renamed) {
    if (copy) keep_for_undo(state, false);
    state.setup.launch = carried_over(*state.setup.kernel, state.setup.launch, *kernel);
  } else {
    keep_for_undo(state, false);
    state.setup.remembered[state.setup.launch.kernel] = state.setup.launch;
    KernelSetup setup = default_setup(*kernel);
    setup.image = state.setup.launch.image;
    setup.image_path = state.setup.launch.image_path;
    state.setup.launch = std::move(setup);
    leave_kernel(state);
  }
  state.setup.own_kernel = kernel;
  state.setup.kernel = kernel.get();
  forget_resources(state, kernel->name);
}

}  // namespace

void take_own(AppState& state, std::shared_ptr<const KernelDescription> own) {
  CodeState next;
  if (own && own->recorded) {
    state.setup.kernel = own.get();  // its code belongs to the program, and is shown, not edited
  } else if (own) {
    next.own = true;
    next.name = own->source_name;
    next.path = own->path;
    next.text = next.compiled = own->source.empty() ? own->ptx : own->source;
    next.saved = next.path.empty() ? std::string() : next.text;
    next.entry = own->entry;
    state.setup.kernel = own.get();
  }
  show_text(state, std::move(next));
  state.setup.own_kernel = std::move(own);
}

void compile_again(AppState& state) {
  if (state.code.own) ask_compilation(state);
}

void open_code(AppState& state, const Session& session, const std::string& given) {
  if (!session.has_code_text) {
    state.code.opening = session.code_path;
    ask_compilation(state);
    return;
  }
  CodeState next;
  next.own = true;
  next.name = session.code_name;
  next.path = session.code_path;
  next.text = session.code_text;
  next.entry = session.code_entry;
  next.copy_of = session.copy_of;
  next.given = given;
  show_text(state, std::move(next));
  ask_compilation(state);
}

void open_kernel(AppState& state, const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
  state.code.opening = whole.empty() ? path : whole.string();
  ask_compilation(state);
}

void apply(AppState& state, const EditCopy&) {
  if (!state.setup.kernel || state.code.own) return;
  if (state.setup.kernel->recorded)
    return apply(state.problems, Notify{ProblemLevel::note, "This code belongs to a recorded program",
                                        "Change it in the program, and record that again."});
  CodeState next;
  next.own = true;
  next.copy_of = state.setup.kernel->name;
  next.name = state.setup.kernel->source_name;
  next.text = next.given = state.setup.kernel->source;
  next.entry = state.setup.kernel->entry;
  show_text(state, std::move(next));
  state.frame.view = View::code;
  ask_compilation(state);
}

void apply(AppState& state, const EditSource& action) {
  if (!state.code.own) return;
  state.code.text = action.text;
  state.code.edited_s = state.frame.now_s;
}

void apply(AppState& state, const RunSource&) {
  CodeState& code = state.code;
  if (!code.own) return apply(state, RunAgain{});
  if (!code.path.empty() && code.text != code.saved) {
    code.saving = code.text;
    state.effects.add(effect::SaveSource{code.path, code.text});
  }
  ask_compilation(state);
}

void apply(AppState& state, const CompileAgain&) { compile_again(state); }

void apply(AppState& state, const SaveSource&) {
  if (state.code.own) state.effects.add(effect::AskFile{Dialog::save_source});
}

void apply(AppState& state, const SaveSourceAs& action) {
  CodeState& code = state.code;
  if (!code.own) return;
  // A copy in a file of its own needs an annotation of its data.
  if (!code.copy_of.empty() && state.setup.own_kernel && !has_annotation(code.text, 0, code.text.size())) {
    code.text = annotation_text(*state.setup.own_kernel) + code.text;
    ++code.text_serial;
  }
  code.saving = code.text;
  state.effects.add(effect::SaveSource{action.path, code.text});
}

void apply(AppState& state, const SourceSaved& action) {
  CodeState& code = state.code;
  code.saving.clear();
  if (!action.error.empty())
    return apply(state.problems,
                 Notify{ProblemLevel::error, "The file was not saved", action.error, NoticeKind::saving});
  if (!code.own) return;
  code.saved = action.text;
  if (code.path == action.path) return;
  code.path = action.path;
  code.name = name_of(action.path);
  ask_compilation(state);  // messages and the report call it by its new name
}

void apply(AppState& state, const ReloadSource& action) {
  CodeState& code = state.code;
  if (!code.own || action.path != code.path || action.text == code.saved || action.text == code.saving)
    return;
  if (code.dirty() && action.text != code.text)
    return apply(state.problems,
                 Notify{ProblemLevel::note, name_of(code.path) + " has changed on disk",
                        "Your edits here are kept. Save them over it (Ctrl+S), or open the file again."});
  code.text = code.saved = action.text;
  ++code.text_serial;
  ask_compilation(state);
}

void apply(AppState& state, const ChooseEntry& action) {
  if (!state.code.own || state.code.entry == action.entry) return;
  state.code.entry = action.entry;
  ask_compilation(state);
}

void apply(AppState& state, const SourceCompiled& action) {
  if (action.serial != state.code.wanted) return;
  state.code.wanted = 0;
  const std::string opening = std::exchange(state.code.opening, "");
  if (!action.compiled) {
    state.files.opening_session.reset();
    const bool opens = !opening.empty();
    if (opens && lacks_compiler(state) && opening.ends_with(".cu"))
      apply(state.problems, no_kernel_in_a_page(state, opening));
    else
      apply(state.problems,
            Notify{ProblemLevel::error, opens ? "The file was not opened" : "The code was not compiled",
                   action.error, opens ? NoticeKind::opening : NoticeKind::run});
    if (opening.empty())
      state.runs.now.stale_because = "The code was not compiled";
    else
      setup_changed(state, "Run again");
    return;
  }
  const CompiledKernel& compiled = *action.compiled;
  if (!opening.empty()) {
    remember_file(state.files, compiled.path);
    CodeState next;
    next.own = true;
    next.name = compiled.name;
    next.path = compiled.path;
    next.text = next.saved = next.given = compiled.source;
    show_text(state, std::move(next));
    if (!state.files.opening_session) state.frame.view = View::code;
  }
  CodeState& code = state.code;
  code.compiled = compiled.source;
  code.diagnostics = compiled.own.diagnostics;
  code.entries = compiled.own.entries;
  code.compile_ms = compiled.compile_ms;
  code.compiler = compiled.compiler;
  if (!compiled.own.kernel || has_errors(code.diagnostics)) {
    if (begin_without_broken_text(state)) return;
    state.runs.now.stale_because = "The code has errors";
    return;
  }
  take_compiled(state, compiled.own.kernel);
  finish_session(state);
  setup_changed(state, "Code changed");
  go_on_showing(state);
}

}  // namespace warplens::detail

namespace warplens {

std::string key_of(const CodeState& code) { return code.path.empty() ? code.name : code.path; }

bool runs_after_typing(const AppState& state) {
  constexpr double rest_s = 0.3;
  const CodeState& code = state.code;
  if (!code.edited_s || code.wanted != 0 || state.frame.now_s - *code.edited_s < rest_s) return false;
  return state.lesson.is_open() && allowed_change(state, "code") != nullptr;
}

}  // namespace warplens
