// Runs on any Node from 20: builds the console when its sources changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedNode, pinnedPath, root } from './install.mjs';
import { precompress } from './precompress.mjs';
import { runStep } from './run-program.mjs';

const stampFile = join(root, 'node_modules', '.sluice-web-built');
const sources = ['web', 'contract', 'package-lock.json', 'scripts/build-web.mjs', 'scripts/precompress.mjs'];
const generated = new Set(['dist', 'node_modules']);

export async function ensureWebBuilt() {
  const wanted = hashSources();
  const isBuilt = existsSync(join(root, 'web', 'dist', 'index.html')) && existsSync(stampFile);
  if (isBuilt && readFileSync(stampFile, 'utf8') === wanted) return;
  console.log('Building the console ...');
  rmSync(stampFile, { force: true });
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await runStep(pinnedNode(), [vite, 'build', 'web', '--logLevel', 'error'], {
    cwd: root,
    env: { ...process.env, PATH: pinnedPath() },
  });
  precompress(join(root, 'web', 'dist', 'assets'));
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
