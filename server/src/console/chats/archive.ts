import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { ChatRuns } from './runs.ts';
import { announceStop, markArchived } from './store.ts';

/** Archives a chat; stops an answer that is being written for it. */
export async function archiveChat(
  runs: ChatRuns,
  { inTenant, principal }: SignedInContext,
  id: string,
): Promise<undefined> {
  await inTenant(async (tx) => {
    if (!(await markArchived(tx, principal, id))) throw notFound('Chat');
    await announceStop(tx, id);
  });
  runs.stop(id);
  return undefined;
}
