// Checks for every commit, without a database: format, lint, types, structure, dead code, docs.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { ensureInstalled, pinnedPath } from './install.mjs';

await ensureInstalled({ isForDevelopment: true });

// The native compiler checks types. dependency-cruiser needs the API of the classic compiler to parse TypeScript.
const tsc = 'node_modules/typescript-native/bin/tsc';
// The number of checkers is low, because each additional checker repeats much of the work and all checks run in
// parallel.
const checkers = ['--checkers', String(Math.max(1, Math.floor(availableParallelism() / 4)))];
const checks = [
  ['format and lint', 'biome', ['check', '.']],
  ['types', tsc, ['-p', '.', ...checkers]],
  ['types of web', tsc, ['-p', 'web', ...checkers]],
  [
    'layers',
    'depcruise',
    [
      '--config',
      '.dependency-cruiser.cjs',
      'contract',
      'server',
      'proofs',
      'web/src',
      'sandbox',
      'bench',
      'training',
      'e2e',
    ],
  ],
  ['layers of folders', 'depcruise', ['--config', '.dependency-cruiser.folders.cjs', 'server/src']],
  ['dead code', 'knip', []],
  ['structure and docs', 'node', ['scripts/structure.ts']],
];

const run = ([name, command, args]) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, PATH: pinnedPath() }, stdio: 'pipe' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ name, code, output }));
  });

const results = await Promise.all(checks.map(run));
for (const { name, code, output } of results) {
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  if (code !== 0) console.log(output);
}
process.exit(results.some(({ code }) => code !== 0) ? 1 : 0);
