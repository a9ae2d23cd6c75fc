import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { pinnedNode, pinnedPath, root } from './install.mjs';
import { runStep } from './run-program.mjs';

const codings = [
  [
    '.br',
    (bytes) =>
      brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }),
  ],
  ['.gz', (bytes) => gzipSync(bytes, { level: 9 })],
];

/** Skips files that shrink by less than 10%, such as fonts. */
export function precompress(folder) {
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    for (const [suffix, compress] of codings) {
      const compressed = compress(bytes);
      if (compressed.length < bytes.length * 0.9) writeFileSync(join(folder, name + suffix), compressed);
    }
  }
}

// Runs on any Node from 20. Builds the console if its sources changed after the last build. A production install has
// no bundler and serves the build that it contains.
const dist = join(root, 'web', 'dist');
const stampFile = join(dist, '.built-from');
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const sources = ['web', 'contract', 'package-lock.json', 'scripts/build-web.mjs'];
const generated = new Set(['dist', 'node_modules']);

export async function ensureWebBuilt() {
  const isBuilt = existsSync(join(dist, 'index.html'));
  if (!existsSync(vite)) {
    if (isBuilt) return;
    console.error(
      'The console has not been built, and a production install cannot build it. Copy web/dist here,',
    );
    console.error('or install all dependencies: npm ci');
    process.exit(1);
  }
  const wanted = hashSources();
  if (isBuilt && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  console.log('Building the console ...');
  rmSync(stampFile, { force: true });
  await runStep(pinnedNode(), [vite, 'build', 'web', '--logLevel', 'error'], {
    cwd: root,
    env: { ...process.env, PATH: pinnedPath() },
  });
  precompress(join(dist, 'assets'));
  writeFileSync(stampFile, wanted);
}

function hashSources() {
  const hash = createHash('sha256');
  for (const path of sources.flatMap(listFiles)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .filter((name) => !generated.has(name))
    .sort()
    .flatMap((name) => listFiles(`${path}/${name}`));
}

if (process.argv[1] === join(root, 'scripts', 'build-web.mjs')) await ensureWebBuilt();
