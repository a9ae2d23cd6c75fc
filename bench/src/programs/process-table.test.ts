import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { parseStat, processTree } from './program.ts';

test('parseStat accepts spaces and parentheses in a process name', () => {
  const line = '42 (node (worker) 1) S 7 1 1 0 -1 0 9 0 0 0 11 22 33 44 20 0 1 0 5';
  expect(parseStat(line)).toEqual({ pid: 42, parentPid: 7, name: 'node (worker) 1', cpuMicros: 1_100_000 });
});

test('processTree returns only the process and all its descendants', async () => {
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
    child.on('spawn', () => console.log(child.pid));
    process.stdin.resume().on('end', () => child.stdin.end());`;
  const child = spawn(process.execPath, ['-e', script]);
  const [printed] = await once(child.stdout, 'data');
  const pids = processTree(child.pid ?? 0).map(({ pid }) => pid);
  expect(new Set(pids)).toEqual(new Set([child.pid, Number(printed)]));
  child.stdin.end();
  await once(child, 'exit');
});
