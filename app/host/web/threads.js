// The page's own thread waits only for short things: a lock, or a thread that has said that its work is done. Emscripten
// warns about each such wait; this stops the warning.
mergeInto(LibraryManager.library, {
  emscripten_check_blocking_allowed__sig: "v",
  emscripten_check_blocking_allowed: function() {},
});
