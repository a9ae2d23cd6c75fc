import type { addBlacklistEntryBody, BlacklistEntry } from '@sluice/contract';
import type { z } from 'zod';
import { parseBlacklistPattern } from '#domain/access/blacklist-pattern.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { toBlacklistEntry } from './list.ts';
import { insertEntry, selectEntries } from './store.ts';

/** Blocks a known or unknown provider, or those of its models that match a pattern. */
export async function addBlacklistEntry(
  { principal, inTenant }: SignedInContext,
  body: z.output<typeof addBlacklistEntryBody>,
): Promise<BlacklistEntry> {
  const { tenantId, userId } = principal;
  const modelPattern = body.model_pattern || null;
  const parsed = modelPattern === null ? null : parseBlacklistPattern(modelPattern);
  if (parsed && !parsed.ok) throw invalidField('model_pattern', parsed.problem);
  return inTenant(async (tx) => {
    const id = await insertEntry(tx, {
      tenantId,
      providerKey: body.provider_key,
      modelPattern,
      reason: body.reason,
      description: body.description || null,
      blockedBy: userId,
    });
    if (id === undefined) throw new ConsoleError(409, 'This is on the blacklist already');
    const [row] = await selectEntries(tx, tenantId, { id });
    if (!row) throw new Error('a new row is gone');
    return toBlacklistEntry(row);
  });
}
