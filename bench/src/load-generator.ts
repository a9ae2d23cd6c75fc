// Applies load by order of its parent process, one order at a time; ends with its parent.
import { applyLoad } from './gateway/apply-load.ts';
import type { LoadOrder } from './gateway/load.ts';

process.on('message', async (order: LoadOrder) => {
  const result = await applyLoad(order);
  process.send?.(result);
});
process.once('disconnect', () => process.exit());
