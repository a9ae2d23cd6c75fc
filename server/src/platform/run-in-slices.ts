import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the event loop is held at a stretch; what else happens in such a turn comes on top. */
const sliceMs = 2;

/** Does a piece of work for each item, and lets everything else in between; resolves when all are done. */
export async function runInSlices<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let endsAtMs = performance.now() + sliceMs;
  for (const item of items) {
    work(item);
    if (performance.now() < endsAtMs) continue;
    await nextTurn();
    endsAtMs = performance.now() + sliceMs;
  }
}
