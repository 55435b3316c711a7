// Runs commands of the program that is built for a web page, in Node.js:
//   node run.js BUILD/warplens.js FOLDER [WORKERS] < commands
// Each line of the input is a command, its words as a JSON array. A word that is the path of a file of this machine is the
// same file for the program. Each line of the output is what it did: its status, its output and how long it took. What it
// wrote below /out is then below FOLDER/0, FOLDER/1 and so on. A program with threads has so many workers for them.
const fs = require("fs");
const path = require("path");

globalThis.fetch = undefined;  // the driver's JavaScript takes Node.js for a browser where it has this
const [, , program, folder, workers] = process.argv;
const makeWarpLens = require(path.resolve(program));
// Compiled once for all commands: each has an instance of its own, as each page has.
const compiled = WebAssembly.compile(fs.readFileSync(program.replace(/\.js$/, ".wasm")));

function instantiate(imports, ready) {
  compiled.then((module) => WebAssembly.instantiate(module, imports).then((instance) => ready(instance, module)));
  return {};
}

function bring_files(FS, words) {
  for (const word of words.filter((word) => word.startsWith("/") && fs.existsSync(word) && fs.statSync(word).isFile())) {
    FS.mkdirTree(path.dirname(word));
    FS.writeFile(word, fs.readFileSync(word));
  }
}

async function run(words, into) {
  const said = [], complaints = [];
  const warplens = await makeWarpLens({
    print: (line) => said.push(line), printErr: (line) => complaints.push(line), instantiateWasm: instantiate,
    ...workers && {workers: Number(workers)},
  });
  warplens.FS.mkdir("/out");
  bring_files(warplens.FS, words);
  const began = performance.now();
  let status = 0;
  try {
    status = warplens.callMain(words);
  } catch (error) {
    if (error.name !== "ExitStatus") throw error;
    status = error.status;
  }
  const ms = performance.now() - began;
  if (workers) warplens.PThread.terminateAllThreads();
  fs.mkdirSync(into, {recursive: true});
  for (const name of warplens.FS.readdir("/out").filter((name) => !name.startsWith("."))) {
    fs.writeFileSync(path.join(into, name), warplens.FS.readFile("/out/" + name));
  }
  return {status, said: said.join("\n"), complaints: complaints.join("\n"), ms};
}

async function main() {
  const commands = fs.readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
  for (const [number, line] of commands.entries()) {
    console.log(JSON.stringify(await run(JSON.parse(line), path.join(folder, String(number)))));
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
