// The size of text that is proposed at the first start. Nothing changes unless the user takes it.
#pragma once

namespace warplens {

// For a screen with so many pixels that text is small, or one that is seen from far away, as a projector's or
// a television's: its pixels are large. 0 for any other. `pixels` and `millimetres` are its width, 0 if it is
// not known; with a scale of 2, the desktop shows everything twice as large.
float proposed_text_scale(int pixels, int millimetres, float content_scale);

}  // namespace warplens
