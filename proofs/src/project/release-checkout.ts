import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export interface ReleaseCheckout {
  readonly folder: string;
  remove(): void;
}

/** Throws if the folder is not a clone, or if the clone lacks the commit. */
export function checkOutRelease(commit: string): ReleaseCheckout {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-release-'));
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    if (hasPackagesOf(folder)) linkPackages(folder);
    else execFileSync('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

function hasPackagesOf(folder: string): boolean {
  const own = readLock(root);
  return Object.entries(readLock(folder)).every(
    ([path, { version }]) => !path.includes('node_modules/') || own[path]?.version === version,
  );
}

function readLock(folder: string): Record<string, { version?: string }> {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
}

/** Links all packages except the workspaces, which the release contains itself. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  const own = join(modules, '@sluice');
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@sluice') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(root, 'node_modules/@sluice'))) {
    if (existsSync(join(folder, name))) symlinkSync(join(folder, name), join(own, name));
  }
}
