// The answers of a student to a step as JSON, in the file of drafts.
#pragma once

#include "core/base/json/json_reader.h"
#include "core/lesson/play/player.h"

namespace warplens::lesson {

// Whether the student did anything in the step that would be lost.
bool is_begun(const StepProgress& progress);

ReportJson step_progress_json(const StepProgress& progress);
// A mistake is the reader's error.
StepProgress read_step_progress(JsonReader& reader, const JsonNode& node);

}  // namespace warplens::lesson
