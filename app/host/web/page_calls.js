// The functions that C++ calls. They call those of the page's own script, which are in Module.page.
mergeInto(LibraryManager.library, {
  $newText__deps: ["malloc"],
  $newText: function(text) {
    if (text === undefined) return 0;
    var bytes = lengthBytesUTF8(text) + 1, at = _malloc(bytes);
    stringToUTF8(text, at, bytes);
    return at;
  },
  warplens_ask_for_files__sig: "viii",
  warplens_ask_for_files: function(endings, folder, several) {
    Module["page"]["askForFiles"](UTF8ToString(endings), folder !== 0, several !== 0);
  },
  warplens_chosen_file__deps: ["$newText"],
  warplens_chosen_file__sig: "i",
  warplens_chosen_file: function() { return newText(Module["page"]["chosen"].shift()); },
  warplens_something_waits__sig: "i",
  warplens_something_waits: function() { return Module["page"]["dropped"].length + Module["page"]["keys"]["typed"].length; },
  warplens_want_text__sig: "vi",
  warplens_want_text: function(wanted) { Module["page"]["keys"]["wantText"](wanted !== 0); },
  warplens_typed_text__deps: ["$newText"],
  warplens_typed_text__sig: "i",
  warplens_typed_text: function() { return newText(Module["page"]["keys"]["typed"].shift()); },
  warplens_dropped_file__deps: ["$newText"],
  warplens_dropped_file__sig: "i",
  warplens_dropped_file: function() { return newText(Module["page"]["dropped"].shift()); },
  warplens_copy_text__sig: "vi",
  warplens_copy_text: function(text) { Module["page"]["keys"]["copy"](UTF8ToString(text)); },
  warplens_copy_picture__sig: "ii",
  warplens_copy_picture: function(path) { return Module["page"]["copyPicture"](UTF8ToString(path)) ? 1 : 0; },
  warplens_pasted_text__deps: ["$newText"],
  warplens_pasted_text__sig: "i",
  warplens_pasted_text: function() { return newText(Module["page"]["keys"]["pasted"]); },
  warplens_address__deps: ["$newText"],
  warplens_address__sig: "i",
  warplens_address: function() { return newText(location.href.split("#")[0]); },
  // Called by threads too. It waits: no frame is drawn by the thread that compiles. Without threads the page stands still for
  // as long as the server needs.
  warplens_ask_server__deps: ["$newText"],
  warplens_ask_server__sig: "iii",
  warplens_ask_server: function(path, json) {
    var request = new XMLHttpRequest();
    request.open("POST", UTF8ToString(path), false);
    request.setRequestHeader("Content-Type", "application/json");
    try {
      request.send(UTF8ToString(json));
    } catch (error) {
      return 0;
    }
    return newText(request.responseText);
  },
  warplens_begin_again__sig: "v",
  warplens_begin_again: function() { Module["page"]["beginAgain"](); },
});
