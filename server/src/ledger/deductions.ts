import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { EntryDraft } from './entry.ts';
import { postEntries } from './post.ts';

/** What one request through a service-managed instance costs its tenant. */
export interface Charge {
  /** The log row's id. */
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
 * Deducts what requests cost: one entry for each tenant, instance, model and minute of a batch. Call it in the
 * transaction that writes the log rows, with the charges of those rows alone that it has inserted itself, so that a
 * batch which is shipped again costs nothing again. A balance may fall below zero by this, never the bill.
 * An account's `settled` is moved here; whoever keeps leases moves only `leased`.
 */
export async function postDeductions(tx: NodePgDatabase, charges: readonly Charge[]): Promise<void> {
  await postEntries(tx, foldCharges(charges));
}

const minuteMs = 60_000;

/** By rising tenant, so that the accounts of a batch follow each other. Requests that cost nothing leave no entry. */
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
    // A request is in one entry only, so its first one names it.
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
