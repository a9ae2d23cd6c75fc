import type { LogEntry } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { describeLog } from './describe-log.ts';
import { findLog } from './store.ts';

/** One request with its whole texts. */
export async function getLog(ctx: SignedInContext, id: string): Promise<LogEntry> {
  const row = await ctx.inTenant((tx) => findLog(tx, ctx.principal.tenantId, id));
  if (!row) throw notFound('Log entry');
  return describeLog(row);
}
