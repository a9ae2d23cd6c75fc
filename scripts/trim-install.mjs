// `npm run trim`: deletes files from a production install (`npm ci --omit=dev`) that only compilers, debuggers and
// readers use. The argument is the packages folder; the default is the folder of this clone.
import { existsSync, globSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

// Licenses are kept, because they must accompany each copy.
const unused = ['node-*/include/**', '**/*.{map,md}', '**/*.d.{ts,cts,mts}'];

const modulesDir = process.argv[2] ?? join(root, 'node_modules');
if (existsSync(join(modulesDir, 'typescript'))) {
  console.error('This install is for development. Run "npm ci --omit=dev" before it is trimmed.');
  process.exit(1);
}
let bytes = 0;
for (const name of globSync(unused, { cwd: modulesDir })) {
  const path = join(modulesDir, name);
  const stats = lstatSync(path);
  if (!stats.isFile()) continue;
  bytes += stats.size;
  rmSync(path);
}
console.log(`Deleted ${(bytes / 1e6).toFixed(1)} MB of unused files.`);
