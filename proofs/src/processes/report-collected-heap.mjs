// Preloaded into the product's processes. On SIGUSR2, a process collects garbage and writes its heap size. Debuggers
// could measure this as well, but crash Node 26 under load. The file is JavaScript, since the Node that runs npm may
// be older than the pinned version.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const folder = new URL(import.meta.url).searchParams.get('folder');
  const file = join(folder, `sluice-heap-${process.pid}`);
  process.on('SIGUSR2', () => {
    collectGarbage();
    writeFileSync(`${file}.part`, String(process.memoryUsage().heapUsed));
    renameSync(`${file}.part`, file);
  });
}
