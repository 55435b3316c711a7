// Dear ImGui reads OpenGL's state before it draws, to restore it afterwards. A browser answers some of these queries only
// after all drawing is done, which takes longer than the frame. Nothing else draws on the page, and each frame sets the
// state that it needs. So these answers give the initial state.
mergeInto(LibraryManager.library, {
  glGetIntegerv__deps: ["$emscriptenWebGLGet", "$stateAtBeginning"],
  glGetIntegerv__sig: "vii",
  glGetIntegerv: function(name, to) {
    var state = stateAtBeginning[name];
    if (state === undefined) return emscriptenWebGLGet(name, to, 0);
    for (var i = 0; i < state.length; ++i) HEAP32[(to >> 2) + i] = state[i];
  },
  $stateAtBeginning: {
    0x0C10: [0, 0, 0, 0],                // SCISSOR_BOX
    0x0CF2: [0],                         // UNPACK_ROW_LENGTH
    0x80C8: [0], 0x80CA: [0],            // BLEND_DST_RGB, BLEND_DST_ALPHA: ZERO
    0x80C9: [1], 0x80CB: [1],            // BLEND_SRC_RGB, BLEND_SRC_ALPHA: ONE
    0x8009: [0x8006], 0x883D: [0x8006],  // BLEND_EQUATION_RGB, BLEND_EQUATION_ALPHA: FUNC_ADD
  },
});
