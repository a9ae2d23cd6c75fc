import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { EntryDraft } from './entry.ts';
import { postEntries } from './post.ts';

/** Cost of one request through a service-managed instance, charged to its tenant. */
export interface Charge {
  readonly requestId: string;
  readonly tenantId: number;
  readonly llmProviderId: number;
  readonly providerKey: string;
  readonly model: string;
  readonly receivedAtMs: number;
  readonly tokens: number;
  readonly costNanoUsd: bigint;
}

/**
 * Books request costs as one entry per tenant, instance, model and minute. Call it in the transaction that inserts
 * the log rows, with charges of newly inserted rows only: this prevents double charges if a batch is shipped twice.
 * The balance may become negative. Only `settled` changes; `leased` is changed by leases.
 */
export async function postDeductions(tx: NodePgDatabase, charges: readonly Charge[]): Promise<void> {
  await postEntries(tx, foldCharges(charges));
}

const minuteMs = 60_000;

/**
 * Combines charges into entries, sorted by tenant so that the entries of each account are consecutive. Requests
 * without a cost have no entry.
 */
export function foldCharges(charges: readonly Charge[]): EntryDraft[] {
  const groups = Map.groupBy(charges, ({ tenantId, llmProviderId, model, receivedAtMs }) =>
    [tenantId, llmProviderId, Math.floor(receivedAtMs / minuteMs), model].join(' '),
  );
  return [...groups.values()]
    .map(toDraft)
    .filter(({ amount }) => amount < 0n)
    .sort((one, other) => one.tenantId - other.tenantId);
}

function toDraft(charges: readonly Charge[]): EntryDraft {
  const [first] = charges.toSorted((one, other) => (one.requestId < other.requestId ? -1 : 1));
  if (!first) throw new Error('a group has at least one charge');
  const { tenantId, llmProviderId, providerKey, model, receivedAtMs, requestId } = first;
  const requests = charges.length;
  return {
    tenantId,
    kind: 'deduction',
    amount: -charges.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n),
    // Each request belongs to exactly one entry, so the id of the first request identifies the entry.
    source: `request/${requestId}`,
    description: requests === 1 ? `1 request to ${model}` : `${requests} requests to ${model}`,
    actorId: null,
    llmProviderId,
    providerKey,
    model,
    minute: new Date(receivedAtMs - (receivedAtMs % minuteMs)),
    requests,
    tokens: charges.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
