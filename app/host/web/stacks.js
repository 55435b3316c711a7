// The browser's part of stacks.cpp: a call into the program that can stop and continue later.
mergeInto(LibraryManager.library, {
  $stoppedStacks: [],
  $pageStack: 0,
  $pieceBegan: 0,
  // The time of each piece of work, if a test asks for it (tests/web).
  $notePiece__deps: ["$pieceBegan"],
  $notePiece: function() {
    var page = Module["page"];
    if (page && page["pieces"]) page["pieces"].push(performance.now() - pieceBegan);
  },
  warplens_has_stacks__sig: "i",
  warplens_has_stacks: function() { return typeof WebAssembly.Suspending === "function" ? 1 : 0; },
  warplens_stopped_stacks__deps: ["$stoppedStacks"],
  warplens_stopped_stacks__sig: "i",
  warplens_stopped_stacks: function() { return stoppedStacks.length; },
  // Returns when the call ends or stops.
  warplens_begin_stack__deps: ["$pageStack", "$pieceBegan", "$notePiece"],
  warplens_begin_stack__sig: "vii",
  warplens_begin_stack: function(end, number) {
    pageStack = stackSave();
    pieceBegan = performance.now();
    stackRestore(end);
    var done = WebAssembly.promising(Module["asm"]["warplens_work"])(number);
    stackRestore(pageStack);
    done.then(function() { stackRestore(pageStack); }, function(error) { abort(error); });
  },
  // Continues the oldest call after the page's own call has returned.
  warplens_go_on__deps: ["$stoppedStacks", "$pieceBegan"],
  warplens_go_on__sig: "v",
  warplens_go_on: function() {
    pieceBegan = performance.now();
    stoppedStacks.shift()();
  },
  warplens_stop__deps: ["$stoppedStacks", "$pageStack", "$stopStack"],
  warplens_stop__sig: "v",
  warplens_stop: "=typeof WebAssembly.Suspending === 'function' ? new WebAssembly.Suspending(stopStack) : stopStack",
  $stopStack__deps: ["$stoppedStacks", "$pageStack", "$notePiece"],
  $stopStack: function() {
    notePiece();
    stackRestore(pageStack);
    return new Promise(function(goOn) { stoppedStacks.push(goOn); });
  },
});
