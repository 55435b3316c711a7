#include "core/system/own_process.h"

namespace warplens {

// There is only one process.
long own_process_id() { return 1; }
bool process_is_alive(long) { return true; }
void restart_program(const char*, const char*) {}
void leave_signals_to_other_threads() {}
bool input_is_a_terminal() { return false; }
bool output_is_a_terminal() { return false; }
std::string name_of_errors() { return {}; }

void hear_interrupts() {}
bool was_interrupted() { return false; }
void leave_interrupts() {}

ErrorsToFile::ErrorsToFile(const std::string&) : m_saved(-1) {}
ErrorsToFile::~ErrorsToFile() { end(); }
void ErrorsToFile::end() { m_saved = -1; }

std::unique_ptr<OutputCapture> OutputCapture::start() { return nullptr; }

}  // namespace warplens
