// Emscripten's GLFW takes the first finger for a mouse with its button held. What a finger means, touch.cpp says.
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
