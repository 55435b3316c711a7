// What page.cpp calls: the page's own script has the functions, as Module.page.
mergeInto(LibraryManager.library, {
  $newText__deps: ["malloc"],
  $newText: function(text) {
    if (text === undefined) return 0;
    var bytes = lengthBytesUTF8(text) + 1, at = _malloc(bytes);
    stringToUTF8(text, at, bytes);
    return at;
  },
  warplens_ask_for_files__sig: "vii",
  warplens_ask_for_files: function(endings, folder) { Module["page"]["askForFiles"](UTF8ToString(endings), folder !== 0); },
  warplens_chosen_file__deps: ["$newText"],
  warplens_chosen_file__sig: "i",
  warplens_chosen_file: function() { return newText(Module["page"]["chosen"].shift()); },
  warplens_file_waits__sig: "i",
  warplens_file_waits: function() { return Module["page"]["dropped"].length; },
  warplens_dropped_file__deps: ["$newText"],
  warplens_dropped_file__sig: "i",
  warplens_dropped_file: function() { return newText(Module["page"]["dropped"].shift()); },
  warplens_copy_text__sig: "vi",
  warplens_copy_text: function(text) { Module["page"]["keys"]["copy"](UTF8ToString(text)); },
  warplens_pasted_text__deps: ["$newText"],
  warplens_pasted_text__sig: "i",
  warplens_pasted_text: function() { return newText(Module["page"]["keys"]["pasted"]); },
  warplens_address__deps: ["$newText"],
  warplens_address__sig: "i",
  warplens_address: function() { return newText(location.href.split("#")[0]); },
  warplens_begin_again__sig: "v",
  warplens_begin_again: function() { Module["page"]["beginAgain"](); },
});
