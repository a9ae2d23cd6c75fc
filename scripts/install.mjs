// Runs on any Node from 20: brings a fresh clone to the state that package-lock.json describes, and no further.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runStep } from './run-program.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules', '.sluice-installed');

/** PATH with the pinned Node in front, so that every child uses it. */
export const pinnedPath = () => `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`;

/** The pinned Node's own binary; spawning it directly saves a shell and keeps signals simple. */
export const pinnedNode = () => join(root, 'node_modules', '.bin', 'node');

/** Installs dependencies when the lock file changed since the last install. */
export async function ensureInstalled() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted && existsSync(pinnedNode())) return;
  console.log('Installing dependencies (npm ci), this takes about half a minute ...');
  await runStep('npm', ['ci', '--loglevel=error'], { cwd: root });
  if (!existsSync(pinnedNode())) {
    console.error(
      'npm did not install the pinned Node for this platform; see docs/OPERATING.md, "Platforms".',
    );
    process.exit(1);
  }
  writeFileSync(stampFile, wanted);
}
