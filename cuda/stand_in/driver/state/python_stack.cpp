// Lines of Python, by the functions of the interpreter that is in this process (Python/C API, "Frame
// objects"; from Python 3.9 on). They are looked for by name, since most programs have none.
#include <dlfcn.h>

#include <utility>

#include "cuda/stand_in/driver/state/host_place.h"

namespace warplens::driver {

namespace {

template <class F>
bool find(F*& function, const char* name) {
  function = reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

// PyObject* and its like are opaque pointers: nothing here reads what they point to.
struct Interpreter {
  int (*is_initialized)() = nullptr;
  int (*is_finalizing)() = nullptr;
  void* (*thread_state)() = nullptr;
  int (*lock)() = nullptr;
  void (*unlock)(int) = nullptr;
  void* (*frame)() = nullptr;            // borrowed
  void* (*frame_back)(void*) = nullptr;  // owned by the caller, as the next two
  void* (*frame_code)(void*) = nullptr;
  void* (*attribute)(void*, const char*) = nullptr;
  int (*line)(void*) = nullptr;
  const char* (*utf8)(void*) = nullptr;
  void (*hold)(void*) = nullptr;
  void (*release)(void*) = nullptr;
  void (*take_error)(void**, void**, void**) = nullptr;
  void (*put_error)(void*, void*, void*) = nullptr;
  bool is_there = false;

  Interpreter() {
    is_there = find(is_initialized, "Py_IsInitialized") &&
               find(thread_state, "PyGILState_GetThisThreadState") && find(lock, "PyGILState_Ensure") &&
               find(unlock, "PyGILState_Release") && find(frame, "PyEval_GetFrame") &&
               find(frame_back, "PyFrame_GetBack") && find(frame_code, "PyFrame_GetCode") &&
               find(attribute, "PyObject_GetAttrString") && find(line, "PyFrame_GetLineNumber") &&
               find(utf8, "PyUnicode_AsUTF8") && find(hold, "Py_IncRef") && find(release, "Py_DecRef") &&
               find(take_error, "PyErr_Fetch") && find(put_error, "PyErr_Restore") &&
               (find(is_finalizing, "Py_IsFinalizing") || find(is_finalizing, "_Py_IsFinalizing"));
  }
};

const Interpreter& interpreter() {
  static const Interpreter found;
  return found;
}

// A code object's file or function; empty if it has none.
std::string text_of(const Interpreter& python, void* code, const char* name) {
  void* value = python.attribute(code, name);
  if (value == nullptr) return {};
  const char* text = python.utf8(value);
  std::string copy = text == nullptr ? "" : text;
  python.release(value);
  return copy;
}

recording::HostPlace innermost(const Interpreter& python) {
  constexpr int most_frames = 64;
  recording::HostPlace place;
  void* frame = python.frame();
  if (frame == nullptr) return place;
  python.hold(frame);
  for (int i = 0; frame != nullptr && i < most_frames && place.line == 0; ++i) {
    void* code = python.frame_code(frame);
    std::string file = text_of(python, code, "co_filename");
    if (is_own_source(file)) {
      const int line = python.line(frame);
      place.file = std::move(file);
      place.function = text_of(python, code, "co_name");
      place.line = line > 0 ? static_cast<uint32_t>(line) : 0;
    }
    python.release(code);
    void* back = python.frame_back(frame);
    python.release(frame);
    frame = back;
  }
  if (frame != nullptr) python.release(frame);
  return place;
}

}  // namespace

bool is_python() { return interpreter().is_there && interpreter().is_initialized() != 0; }

const recording::HostPlace* python_place() {
  const Interpreter& python = interpreter();
  // A thread that Python does not know has no frames; while it ends, its lock cannot be taken any more.
  if (python.is_finalizing() != 0 || python.thread_state() == nullptr) return nullptr;
  const int locked = python.lock();
  // The program may be handling an exception; what goes wrong here is none of its own.
  void *type = nullptr, *value = nullptr, *trace = nullptr;
  python.take_error(&type, &value, &trace);
  recording::HostPlace place = innermost(python);
  python.put_error(type, value, trace);
  python.unlock(locked);
  return kept(std::move(place));
}

}  // namespace warplens::driver
