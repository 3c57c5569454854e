// Prints what dist weighs as brotli, by kind. Fails above the budgets, which only hold what is
// there, and says plainly where the house style's aim is missed.
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

const [dist = 'dist'] = process.argv.slice(2);
const budgets = { 'page wasm': 412, 'worker wasm': 326, 'scripts and styles': 60, total: 770 };
const aims = { 'page wasm': 350, 'worker wasm': 250, total: 700 };
const kinds = [
  [/^worker.*\.wasm$/, 'worker wasm'],
  [/\.wasm$/, 'page wasm'],
  [/\.(js|css)$/, 'scripts and styles'],
  [/./, 'other'],
];

const sizes = { total: 0 };
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (!entry.isFile() || /\.(br|gz)$/.test(path)) continue;
  const compressed = await stat(`${path}.br`).catch(() => stat(path));
  const [, kind] = kinds.find(([pattern]) => pattern.test(basename(path)));
  sizes[kind] = (sizes[kind] ?? 0) + compressed.size;
  sizes.total += compressed.size;
}

let over = 0;
for (const [kind, bytes] of Object.entries(sizes)) {
  const budget = budgets[kind];
  const kilobytes = bytes / 1000;
  const verdict = budget === undefined ? '' : kilobytes <= budget ? 'ok' : 'OVER';
  if (verdict === 'OVER') over += 1;
  const limit = budget === undefined ? '' : `of ${budget} kB`;
  const aim = aims[kind];
  const missed = aim !== undefined && kilobytes > aim ? `  MISSES THE AIM OF ${aim} kB` : '';
  console.log(`${kind.padEnd(20)} ${kilobytes.toFixed(1).padStart(7)} kB brotli ${limit} ${verdict}${missed}`);
}
process.exit(over === 0 ? 0 : 1);
