import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the event loop is blocked at a time; other work of that turn adds to it. */
const sliceMs = 2;

/** Runs work for each item and yields to the event loop in between; resolves when all are done. */
export async function runInSlices<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let endsAtMs = performance.now() + sliceMs;
  for (const item of items) {
    work(item);
    if (performance.now() < endsAtMs) continue;
    await nextTurn();
    endsAtMs = performance.now() + sliceMs;
  }
}
