#include "core/recording/program_warnings.h"

namespace warplens::recording {

const char* name_of(ProgramWarning::Kind) { return ""; }
std::string estimate_text(const ProgramWarning&) { return {}; }
std::string line_of(const ProgramWarning& warning) { return warning.what; }
ProgramReport report_of(const Recording&, const DeviceFigures&) { return {}; }

}  // namespace warplens::recording
