// Loaded ahead of the product's processes: at SIGUSR2 one collects its garbage, and writes what its heap still holds.
// A debugger could ask the same, but Node 26 crashes now and then when debuggers come and go under load. Not in
// TypeScript, for the Node that starts npm may be older than the pinned one.
import { renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const file = join(tmpdir(), `sluice-heap-${process.pid}`);
  process.on('SIGUSR2', () => {
    collectGarbage();
    writeFileSync(`${file}.part`, String(process.memoryUsage().heapUsed));
    renameSync(`${file}.part`, file);
  });
}
