// What a worksheet prints of a step in addition to its texts: the picture of its view, or the source.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/base/draw/picture.h"
#include "core/lesson/play/stage.h"

namespace warplens {

// The picture of the step's view and part, as the run recorded it. Empty where the view needs a sweep, or has
// no picture of this part.
std::optional<Picture> worksheet_picture(const lesson::Staged& staged, const std::stop_token& stop = {});

// Whether a step with this view has the source printed, if it has no picture. `unknown` are the names that
// the step hides.
bool prints_source(std::string_view view, std::span<const std::string> unknown);

// Nobody can click on paper: "Click all of them." asks to mark them in the picture, or to name them where
// there is none.
std::string on_paper(std::string text, std::string_view language, bool drawn);

}  // namespace warplens
