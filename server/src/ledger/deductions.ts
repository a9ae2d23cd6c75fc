import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { EntryDraft } from './entry.ts';
import { postEntries } from './post.ts';

/** Cost of one request through a service-managed instance, charged to its tenant. */
export interface Charge {
  /** Id of the log row. */
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
 * Books the cost of requests: one entry per tenant, instance, model and minute. Call it in the transaction that
 * writes the log rows, only with charges of newly inserted rows, so that a batch that is shipped twice is charged
 * once. The balance may become negative. This moves `settled`; leases move only `leased`.
 */
export async function postDeductions(tx: NodePgDatabase, charges: readonly Charge[]): Promise<void> {
  await postEntries(tx, foldCharges(charges));
}

const minuteMs = 60_000;

/** Sorted by tenant, so that the entries of an account are consecutive. Requests without cost have no entry. */
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
    // Each request belongs to one entry only, so the first request identifies the entry.
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
