// Writes a brotli and a gzip twin beside every text and wasm file of dist, for hosts that
// serve them (as ./dev serve does).
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [dist = 'dist'] = process.argv.slice(2);
const compressible = /\.(html|js|css|wasm|svg|json|webmanifest)$/;

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
