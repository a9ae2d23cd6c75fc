import type { SignedInContext } from '#http/console-route.ts';
import { requireChat } from './require-chat.ts';
import type { ChatRuns } from './runs.ts';
import { announceStop } from './store.ts';

/** Stops the answer that is being written, on any node. */
export async function stopChat(
  runs: ChatRuns,
  { inTenant, principal }: SignedInContext,
  id: string,
): Promise<undefined> {
  await inTenant(async (tx) => {
    await requireChat(tx, principal, id);
    await announceStop(tx, id);
  });
  runs.stop(id);
  return undefined;
}
