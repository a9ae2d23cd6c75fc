// Runs orders of the parent process sequentially. Exits together with the parent.
import { applyLoad } from './gateway/apply-load.ts';
import type { LoadOrder, LoadReply } from './gateway/load.ts';

process.on('message', async (order: LoadOrder) => {
  const reply: LoadReply = await applyLoad(order).then(
    (result) => ({ result }),
    (error: Error) => ({ failure: error.message }),
  );
  process.send?.(reply);
});
process.once('disconnect', () => process.exit());
