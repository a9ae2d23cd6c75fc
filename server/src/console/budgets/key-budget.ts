import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { insertBudget } from './store.ts';
import { toAmount } from './terms.ts';

interface KeyBudget {
  readonly apiKeyId: number;
  /** Total amount in dollars that the key can spend. */
  readonly limitUsd: number;
}

const thresholds = [80, 100];

/** Creates a budget for a new API key and returns its id. Requests beyond the limit are rejected. */
export function createKeyBudget(
  tx: TenantTransaction,
  { tenantId, userId }: Author,
  { apiKeyId, limitUsd }: KeyBudget,
): Promise<number> {
  const terms = { measure: 'usd', period: 'total', action: 'refuse' } as const;
  const amounts = { limitAmount: toAmount('usd', limitUsd), thresholds: [...thresholds] };
  return insertBudget(tx, { tenantId, apiKeyId, ...terms, ...amounts, createdBy: userId }, 'api_key');
}
