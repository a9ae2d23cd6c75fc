import type { PromptRead } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { selectPromptReads } from './store.ts';

/** Lists reads of the caller's prompts by other users from the audit log. */
export function listPromptReads(
  { inTenant }: SignedInContext,
  page: { skip: number; limit: number },
): Promise<PromptRead[]> {
  return inTenant(async (tx) =>
    (await selectPromptReads(tx, page)).map(({ readAt, ...read }) => ({
      ...read,
      read_at: new Date(readAt).toISOString(),
    })),
  );
}
