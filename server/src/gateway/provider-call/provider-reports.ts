import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';
import { createSerialQueue } from '#platform/serial-queue.ts';
import type { CircuitReading } from '#upstream/circuit-state.ts';
import type { Refusal } from './refusals.ts';

/** Reports are stored for administrators and the other nodes. */
export interface ProviderReports {
  /** Reports that the provider rejected an instance's newest key. The previous key is valid until `overlapEndsAtMs`. */
  noteKeyRefusal(instanceId: number, overlapEndsAtMs: number): void;
  /** Reports that the provider rejects an instance's key, or that the provider account has no credit. */
  noteIncident(instanceId: number, kind: 'provider_auth_failed' | 'provider_out_of_credit'): void;
  noteCircuit(instanceId: number, model: string, reading: CircuitReading): void;
  /**
   * Reports that an instance rejected part of a user's request, for one model or, if the model is empty, for all
   * models.
   */
  noteRefusal(instanceId: number, model: string, userId: number, refusal: Refusal): void;
  close(): Promise<void>;
}

interface ReportsOptions {
  readonly pool: pg.Pool;
  /** This node. The id changes if the registration expires while the node is offline. */
  readonly node: { readonly id: string };
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * Minimum interval between equal reports, since a busy instance with a rejected key would cause a report for each
 * request.
 */
const noteEveryMs = 5_000;
/** Maximum number of remembered reports. When exceeded, all are forgotten. */
const notedMax = 10_000;

export function createProviderReports({ pool, node, log }: ReportsOptions): ProviderReports {
  const inTurn = createSerialQueue();
  const notedMs = new Map<string, number>();
  const isNews = (key: string) => {
    const nowMs = performance.now();
    if (nowMs - (notedMs.get(key) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return false;
    if (notedMs.size >= notedMax) notedMs.clear();
    notedMs.set(key, nowMs);
    return true;
  };
  const write = (statement: string, values: unknown[]) =>
    inTurn(() => pool.query(withQueryTimeout(statement, values))).catch((error: unknown) =>
      log.warn({ error }, 'could not record the reported state of a provider'),
    );
  return {
    noteKeyRefusal(instanceId, overlapEndsAtMs) {
      if (isNews(`refusal ${instanceId}`)) void write(saveRefusal, [instanceId, new Date(overlapEndsAtMs)]);
    },
    noteIncident(instanceId, kind) {
      if (isNews(`${kind} ${instanceId}`)) void write(saveIncident, [instanceId, kind]);
    },
    noteCircuit(instanceId, model, reading) {
      if (reading.state === 'closed') void write(removeCircuit, [node.id, instanceId, model]);
      else void write(saveCircuit, [node.id, instanceId, model, reading.retryAfterMs ?? 0]);
    },
    noteRefusal(instanceId, model, userId, { kind, value }) {
      if (isNews(`${kind} ${value} ${instanceId} ${model} ${userId}`))
        void write(saveProviderRefusal, [
          instanceId,
          model,
          kind,
          value,
          userId,
          refusalsMax,
          unconfirmedMax,
        ]);
    },
    close: () => inTurn(async () => undefined),
  };
}

const saveRefusal = `INSERT INTO provider_key_refusals (llm_provider_id, tenant_id, overlap_ends_at)
  SELECT id, tenant_id, $2 FROM llm_providers WHERE id = $1
  ON CONFLICT (llm_provider_id) DO UPDATE SET overlap_ends_at = excluded.overlap_ends_at, refused_at = now()`;

/**
 * Maximum number of stored rejections per tenant, as in `stored_bounds`. Beyond this number, each worker keeps its
 * own.
 */
const refusalsMax = 1_000;

/** Maximum number of unconfirmed rejections stored for one user, so that no user can exhaust the tenant's limit. */
const unconfirmedMax = 100;

// Rejections older than a day start unconfirmed. The stored user id is NULL once that user is deleted.
const saveProviderRefusal = `INSERT INTO provider_refusals AS known (llm_provider_id, tenant_id, model, kind, value, user_id)
  SELECT p.id, p.tenant_id, $2, $3, $4, u.id FROM llm_providers p JOIN users u ON u.tenant_id = p.tenant_id AND u.id = $5
  WHERE p.id = $1 AND (
    (SELECT count(*) < $6 AND count(*) FILTER (WHERE r.user_id = $5 AND NOT r.is_confirmed) < $7
      FROM provider_refusals r WHERE r.tenant_id = p.tenant_id)
    OR EXISTS (SELECT FROM provider_refusals r WHERE (r.llm_provider_id, r.model, r.kind, r.value) = ($1, $2, $3, $4)))
  ON CONFLICT (llm_provider_id, model, kind, value) DO UPDATE SET refused_at = now(), user_id = excluded.user_id,
    is_confirmed = known.refused_at > now() - interval '1 day' AND (known.is_confirmed OR known.user_id <> excluded.user_id) IS TRUE`;

const saveIncident = `INSERT INTO provider_incidents (llm_provider_id, kind, tenant_id)
  SELECT id, $2, tenant_id FROM llm_providers WHERE id = $1
  ON CONFLICT (llm_provider_id, kind) DO UPDATE SET seen_at = now()`;

const saveCircuit = `INSERT INTO provider_circuits (node_id, llm_provider_id, model, tenant_id, retry_at)
  SELECT $1, id, $3, tenant_id, now() + $4 * interval '1 millisecond' FROM llm_providers WHERE id = $2
  ON CONFLICT (node_id, llm_provider_id, model) DO UPDATE SET retry_at = excluded.retry_at`;

const removeCircuit =
  'DELETE FROM provider_circuits WHERE node_id = $1 AND llm_provider_id = $2 AND model = $3';
