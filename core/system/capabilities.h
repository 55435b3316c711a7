// The system that this build runs on, and its capabilities.
#pragma once

#include <string>

namespace warplens {

// As in "Linux 6.1.0, x86_64", for problem reports.
std::string system_name();

// Whether other programs can be started, read and ended, and libraries loaded. If not, functions that need
// them return an error of kind missing.
bool has_programs();

// Whether the program runs as a page in a browser: it has only files that the user uploaded, it may be closed
// without notice, and a link opens it.
bool is_a_page();

}  // namespace warplens
