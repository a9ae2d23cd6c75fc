import type { Banner } from '@sluice/contract';
import { and, eq, like, notInArray, or, sql } from 'drizzle-orm';
import { raiseBanner } from '#banners/banners.ts';
import { scoreEvents } from '#db/schema/governance.ts';
import { banners } from '#db/schema/platform.ts';
import type { SystemDatabase } from '#db/system.ts';
import { unlessAway } from '#domain/request-log/log-store-error.ts';
import type { FailedInstance, RequestLog } from '#request-log/request-log.ts';
import type { Job } from './job.ts';

/**
 * Raises a banner for each instance that cannot serve because its key is rejected, its account has no credit, or a
 * model's circuit is open. Removes the banner when the instance serves again, was changed, or has had no requests for
 * some time.
 */
export const createUpdateIncidentBanners = (requestLog: RequestLog): Job => ({
  name: 'update-incident-banners',
  pattern: '*/10 * * * * *',
  async run(tx) {
    await deleteEndedIncidents(tx, requestLog);
    const { rows } = await tx.execute<Incident>(listIncidents);
    for (const incident of rows) await raise(tx, incident);
    const isOurs = or(...kinds.map((kind) => like(banners.id, `${kind}:%`)));
    const isOver = rows.length === 0 ? undefined : notInArray(banners.id, rows.map(bannerId));
    await tx.delete(banners).where(and(isOurs, isOver));
  },
});

const kinds = ['provider_auth_failed', 'provider_out_of_credit', 'circuit_open'] as const;

interface Incident extends Record<string, unknown> {
  readonly kind: (typeof kinds)[number];
  readonly llm_provider_id: number;
  readonly tenant_id: number;
  readonly name: string;
  readonly is_service_managed: boolean;
  readonly models: string | null;
}

const bannerId = ({ kind, llm_provider_id }: Incident) => `${kind}:${llm_provider_id}`;

/**
 * Banners of a tenant's own instances are for its administrators. Banners of service-managed instances are for
 * operators.
 */
function raise(tx: SystemDatabase, incident: Incident): Promise<void> {
  const { severity, message } = notices[incident.kind](incident);
  const shownTo = incident.is_service_managed
    ? ({ audience: 'super_admin' } as const)
    : ({ audience: 'admin', tenantId: incident.tenant_id } as const);
  return raiseBanner(tx, { id: bannerId(incident), severity, message, ...shownTo });
}

interface Notice {
  readonly severity: Banner['severity'];
  readonly message: string;
}

const notices: Readonly<Record<Incident['kind'], (incident: Incident) => Notice>> = {
  provider_auth_failed: ({ name }) => ({
    severity: 'error',
    message: `The provider "${name}" refuses the gateway's key, so that requests to it fail. Enter a valid key under LLM Providers.`,
  }),
  provider_out_of_credit: ({ name }) => ({
    severity: 'error',
    message: `The gateway's account at the provider "${name}" has no credit, so requests to it fail. Add credit at the provider.`,
  }),
  circuit_open: ({ name, models }) => ({
    severity: 'warning',
    message: `The provider "${name}" keeps failing, so only occasional test calls are sent to it (${models}). It is used again as soon as a call succeeds.`,
  }),
};

/**
 * Deletes incidents that are over. A successful request counts by the time in its id. The request that caused the
 * incident started before the incident was recorded.
 */
async function deleteEndedIncidents(tx: SystemDatabase, requestLog: RequestLog): Promise<void> {
  await tx.execute(sql`DELETE FROM provider_incidents i USING llm_providers p
    WHERE p.id = i.llm_provider_id
      AND (i.seen_at < now() - interval '1 day' OR p.changed_at > i.seen_at OR NOT p.is_active)`);
  const { rows } = await tx.execute<FailedInstance & { kind: string } & Record<string, unknown>>(sql`
    SELECT kind, llm_provider_id AS "llmProviderId", tenant_id AS "tenantId", seen_at::text AS "seenAt"
    FROM provider_incidents`);
  const recovered = rows.length === 0 ? [] : await unlessAway(requestLog.listRecovered(tx, rows), []);
  for (const { kind, llmProviderId, seenAt } of recovered)
    await tx.execute(sql`DELETE FROM provider_incidents
      WHERE kind = ${kind} AND llm_provider_id = ${llmProviderId} AND seen_at = ${seenAt}::timestamptz`);
}

/** An open circuit that was not probed recently no longer counts. */
const listIncidents = sql`
  SELECT i.kind, i.llm_provider_id, i.tenant_id, p.provider_instance_name AS name, p.is_service_managed, NULL AS models
  FROM provider_incidents i JOIN llm_providers p ON p.id = i.llm_provider_id
  UNION ALL
  SELECT 'circuit_open', p.id, p.tenant_id, p.provider_instance_name, p.is_service_managed,
    string_agg(DISTINCT c.model, ', ' ORDER BY c.model)
  FROM provider_circuits c JOIN nodes n ON n.id = c.node_id AND n.expires_at > now()
  JOIN llm_providers p ON p.id = c.llm_provider_id AND p.is_active
  WHERE c.retry_at > now() - interval '10 minutes'
  GROUP BY p.id`;

/** Removes the banner about a deviation policy at its block-rate limit if the limit has spared no user for an hour. */
export const removeBlockRateBanners: Job = {
  name: 'remove-block-rate-banners',
  pattern: '*/10 * * * *',
  async run(tx) {
    const isLimited = sql`EXISTS (SELECT FROM ${scoreEvents} WHERE ${eq(scoreEvents.tenantId, banners.tenantId)}
      AND ${eq(scoreEvents.kind, 'spare')} AND ${scoreEvents.createdAt} > now() - interval '1 hour')`;
    await tx.delete(banners).where(sql`${like(banners.id, 'deviation-brake-%')} AND NOT ${isLimited}`);
  },
};
