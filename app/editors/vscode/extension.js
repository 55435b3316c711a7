// Starts `warplens debug`, which does everything else.
const vscode = require("vscode");

exports.activate = (context) =>
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("warplens", {
      createDebugAdapterDescriptor: () =>
        new vscode.DebugAdapterExecutable(vscode.workspace.getConfiguration("warplens").get("program"), ["debug"]),
    }),
  );
