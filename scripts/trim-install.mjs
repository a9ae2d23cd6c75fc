// `npm run trim`: makes a production install (`npm ci --omit=dev`) smaller by what only compilers, debuggers and readers
// use. Takes the folder of the packages, else that of this clone.
import { existsSync, globSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

// Licences stay: they have to go with each copy.
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
console.log(`Deleted ${(bytes / 1e6).toFixed(1)} MB that no program reads.`);
