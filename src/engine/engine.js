// Starts the engine in a module worker. The query (`?v=` and the build id) passes on to the
// files of the worker, whose names carry no hash.

const version = new URL(import.meta.url).search;
const { default: init } = await import(`./worker.js${version}`);
await init({ module_or_path: new URL(`./worker_bg.wasm${version}`, import.meta.url) });
