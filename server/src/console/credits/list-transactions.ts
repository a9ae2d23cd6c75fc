import type { CreditTransaction, TransactionType } from '@sluice/contract';
import { formatTotalCount } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { countEntries, readEntries } from '#ledger/read.ts';
import { toCreditTransaction } from './to-resources.ts';

export interface TransactionQuery {
  transaction_type?: TransactionType | undefined;
  days?: number | undefined;
  limit: number;
  offset?: number;
}

export function listTransactions(
  { principal, inTenant, setHeader }: SignedInContext,
  { transaction_type: kind, days, limit, offset = 0 }: TransactionQuery,
): Promise<CreditTransaction[]> {
  const filter = { tenantId: principal.tenantId, kind, days };
  return inTenant(async (tx) => {
    setHeader('x-total-count', formatTotalCount(await countEntries(tx, filter)));
    const entries = await readEntries(tx, filter, { offset, limit });
    return entries.map(toCreditTransaction);
  });
}
