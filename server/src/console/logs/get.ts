import type { LogEntry } from '@sluice/contract';
import { recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findLog, hasText } from './store.ts';
import { toLogEntry } from './to-log-entry.ts';

/** Returns a request with its full texts. */
export async function getLog(ctx: SignedInContext, id: string): Promise<LogEntry> {
  return ctx.inTenant(async (tx) => {
    const row = await findLog(tx, ctx.principal.tenantId, id);
    if (!row) throw notFound('Log entry');
    if (hasText(row)) await recordPromptRead(tx, id);
    return toLogEntry(row);
  });
}
