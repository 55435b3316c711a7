// Emscripten's GLFW treats the first finger as a mouse whose button is pressed. Here touch.cpp decides what a finger means.
mergeInto(LibraryManager.library, {
  warplens_fingers_are_no_mouse__deps: ["$GLFW"],
  warplens_fingers_are_no_mouse__sig: "v",
  warplens_fingers_are_no_mouse: function() {
    var canvas = Module["canvas"];
    canvas.removeEventListener("touchmove", GLFW.onMousemove, true);
    canvas.removeEventListener("touchstart", GLFW.onMouseButtonDown, true);
    canvas.removeEventListener("touchcancel", GLFW.onMouseButtonUp, true);
    canvas.removeEventListener("touchend", GLFW.onMouseButtonUp, true);
  },
});
