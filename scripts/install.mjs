// Installs the dependencies locked in package-lock.json. Requires Node 20 or later.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runStep } from './run-program.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const pinned = join(root, 'node_modules', '.bin', 'node');
const oldestMajor = 26;

/** Returns PATH with the pinned Node first, so that every child process uses the pinned Node. */
export const pinnedPath = () => `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`;

/** The compile cache and `resolve-once.mjs` halve the startup time. */
export const programEnvironment = () => ({
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'sluice'),
  ...process.env,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('resolve-once.mjs', import.meta.url)}`,
  PATH: pinnedPath(),
});

/**
 * Returns the path of the pinned Node binary. Spawning the binary directly avoids a shell and keeps signals simple.
 * An install without optional packages, as in a container image with its own Node, uses the Node of the current
 * process.
 */
export const pinnedNode = () => (existsSync(pinned) ? pinned : process.execPath);

const hasNode = () => existsSync(pinned) || Number.parseInt(process.versions.node, 10) >= oldestMajor;

/**
 * Installs dependencies if `node_modules` does not match the lock file. A production install (`npm ci --omit=dev`) is
 * complete unless `isForDevelopment` is set.
 */
export async function ensureInstalled({ isForDevelopment = false } = {}) {
  if (isInstalled(isForDevelopment)) return;
  console.log('Installing dependencies (npm ci), this takes about half a minute ...');
  await runStep('npm', ['ci', '--loglevel=error'], { cwd: root });
  if (hasNode()) return;
  console.error(
    'npm did not install the pinned Node for this platform; see docs/operating/install.md, "Platforms".',
  );
  process.exit(1);
}

function isInstalled(isForDevelopment) {
  // npm writes this file when an install is complete.
  const listFile = join(root, 'node_modules', '.package-lock.json');
  if (!hasNode() || !existsSync(listFile)) return false;
  const installed = readPackages(listFile);
  return Object.entries(readPackages(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    const there = installed[path];
    if (there) return there.version === wanted.version && there.integrity === wanted.integrity;
    const isProject = !path.startsWith('node_modules/') && !path.includes('/node_modules/');
    const isOtherPlatform = wanted.optional || wanted.devOptional;
    return isProject || isOtherPlatform || (wanted.dev && !isForDevelopment);
  });
}

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;
