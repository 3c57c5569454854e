// Finishes dist: puts the static example into index.html, then writes a brotli and a gzip twin
// beside every text and wasm file, for hosts that serve them (as ./dev serve does).
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [dist = 'dist', example] = process.argv.slice(2);
const compressible = /\.(html|js|css|wasm|svg|json|webmanifest)$/;

if (example) {
  const page = join(dist, 'index.html');
  const html = await readFile(page, 'utf8');
  if (!html.includes('<!-- skeleton -->')) throw new Error(`${page} has no place for the example`);
  const frames = await readFile(example, 'utf8');
  await writeFile(page, html.replace('<!-- skeleton -->', () => frames));
}

for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressible.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const bytes = await readFile(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${path}.br`, brotliCompressSync(bytes, { params }));
  await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
