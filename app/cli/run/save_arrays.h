// Writes every output of a run as NumPy's files (.npy) into a folder.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/launch/run_result.h"

namespace warplens {

// Call it before the run: it makes the folder, and checks that it can be written. The message begins with the
// option's name.
Result<void> check_arrays_folder(const std::string& folder);

// FOLDER/NAME.npy for each output, with its shape: (height, width, channels), (height, width) or (elements,).
Result<void> save_arrays(const RunResult& result, const std::string& folder);

}  // namespace warplens
