import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { alerts } from '#db/schema/platform.ts';
import { takeEffect } from '#outbound/take-effect.ts';
import type { Logger } from '#platform/logger.ts';
import { attemptDueRows, type RetryQueue } from '#retry-queue/retry-queue.ts';
import type { UpstreamClient } from '#upstream/client.ts';
import type { Job } from './job.ts';

/** Resolves with the response status. */
type PostAlert = (body: Buffer, headers: Readonly<Record<string, string>>) => Promise<number>;

export interface SendAlertsDeps {
  readonly secret: string;
  readonly post: PostAlert;
}

type Alert = typeof alerts.$inferSelect;

const batch = 20;
const waitingMax = 500;

/**
 * Posts each banner for operators and administrators to the alert webhook, once when it is raised and once when it is
 * withdrawn. Retries use the same id until the receiver returns a 2xx status, up to a maximum number of attempts.
 */
export function createSendAlerts(deps: SendAlertsDeps): Job {
  return {
    name: 'send-alerts',
    pattern: '*/5 * * * * *',
    async runInSteps({ database, log, signal }) {
      await database.transaction(async (noting) => {
        await noting.execute(noteRaised);
        await noting.execute(noteEnded);
        await noting.execute(deleteDelivered);
      });
      await attemptDueRows(database, createAlertQueue(deps, log), { signal, max: batch });
      const { rows: counted } = await database.execute<{ waiting: number; givenUp: number }>(countAlerts);
      return { waiting: counted[0]?.waiting ?? 0, givenUp: counted[0]?.givenUp ?? 0 };
    },
  };
}

const use = { effect: 'alert_webhook', tenantId: null, actorId: null, recipient: 'alert webhook' } as const;

function createAlertQueue({ secret, post }: SendAlertsDeps, log: Logger): RetryQueue<typeof alerts> {
  return {
    table: alerts,
    isOpen: sql`${alerts.endedAt} IS NULL`,
    // The end of an incident must not be sent before its start.
    isScheduled: sql`NOT EXISTS (SELECT FROM alerts earlier WHERE earlier.ended_at IS NULL
      AND earlier.id < ${alerts.id} AND earlier.banner_id = ${alerts.bannerId})`,
    claimSeconds: 30,
    retrySeconds: [10, 30, 120, 600, 3_600],
    started: { attempts: sql`${alerts.attempts} + 1` },
    attemptsOf: ({ attempts }) => attempts,
    // An alert beyond the limit remains due and is delivered in the next window.
    admit: async (tx) => (await takeEffect(tx, use)) === null,
    async attempt(alert) {
      const body = Buffer.from(JSON.stringify(toPayload(alert)));
      const status = await post(body, signAlert({ id: alert.id, body }, secret));
      if (status < 200 || status > 299) throw new Error(`the receiver returned the status ${status}`);
    },
    succeeded: () => ({ endedAt: sql`now()`, isDelivered: true }),
    failed: (_alert, { isGivenUp }) => (isGivenUp ? { endedAt: sql`now()` } : {}),
    onFailed({ bannerId, event }, { error, isGivenUp }) {
      if (isGivenUp) log.warn({ alert: bannerId, event, error }, 'the alert webhook did not accept an alert');
    },
  };
}

function toPayload({ id, event, bannerId, severity, message, tenantId, raisedAt }: Alert): object {
  return {
    id,
    event,
    banner_id: bannerId,
    severity,
    message,
    tenant_id: tenantId,
    raised_at: raisedAt.toISOString(),
  };
}

/**
 * Returns the signature headers in Sluice's own format and in the format of Standard Webhooks. Both include the time,
 * so that receivers can reject replays.
 */
export function signAlert(
  { id, body }: { readonly id: number; readonly body: Buffer },
  secret: string,
  nowMs = Date.now(),
): Record<string, string> {
  const seconds = String(Math.floor(nowMs / 1000));
  const webhookId = `alert_${id}`;
  const hmac = (key: string | Buffer, prefix: string) =>
    createHmac('sha256', key).update(prefix).update(body);
  return {
    'sluice-signature': `t=${seconds},v1=${hmac(secret, `${seconds}.`).digest('hex')}`,
    'webhook-id': webhookId,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${hmac(readStandardKey(secret), `${webhookId}.${seconds}.`).digest('base64')}`,
  };
}

/**
 * Accepts the format of Standard Webhooks: `whsec_` and at least 16 bytes of base64. Other secrets are used
 * unchanged.
 */
function readStandardKey(secret: string): string | Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]{22,}={0,2})$/.exec(secret)?.[1];
  return encoded === undefined ? secret : Buffer.from(encoded, 'base64');
}

// An incident starts when its banner was first raised. A repeated banner keeps that time.
const noteRaised = sql`INSERT INTO alerts (banner_id, raised_at, event, severity, message, tenant_id)
  SELECT id, raised_at, 'raised', severity, message, tenant_id FROM banners
  WHERE severity <> 'info' AND (SELECT count(*) FROM alerts WHERE ended_at IS NULL) < ${waitingMax}
  ORDER BY raised_at LIMIT 100
  ON CONFLICT (banner_id, raised_at, event) DO NOTHING`;

// A reached budget threshold is a single event. It has neither a banner nor an end.
const hasBanner = sql`a.banner_id NOT LIKE 'budget:%'`;

const noteEnded = sql`INSERT INTO alerts (banner_id, raised_at, event, severity, message, tenant_id)
  SELECT banner_id, raised_at, 'ended', severity, message, tenant_id FROM alerts a
  WHERE event = 'raised' AND ${hasBanner} AND NOT EXISTS (
    SELECT FROM banners b WHERE b.id = a.banner_id AND b.raised_at = a.raised_at
  )
  ON CONFLICT (banner_id, raised_at, event) DO NOTHING`;

// Deletes all alerts of an incident together, 30 days after its end, so that no end is sent twice.
const deleteDelivered = sql`DELETE FROM alerts a USING alerts e
  WHERE e.banner_id = a.banner_id AND e.raised_at = a.raised_at
    AND (e.event = 'ended' OR NOT ${hasBanner}) AND e.ended_at < now() - interval '30 days'`;

const countAlerts = sql`SELECT count(*) FILTER (WHERE ended_at IS NULL)::int AS waiting,
  count(*) FILTER (WHERE ended_at IS NOT NULL AND NOT is_delivered)::int AS "givenUp" FROM alerts`;

const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 };
const answerMaxBytes = 64 * 1024;

/**
 * Returns a function that posts alerts with the provider client: the outbound guard checks the host, and redirects
 * are not followed.
 */
export function createPostAlert(url: URL, upstream: UpstreamClient): PostAlert {
  return async (body, headers) => {
    const { status, body: answer } = await upstream.send({
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'sluice' },
      body,
      signal: AbortSignal.timeout(timeouts.totalMs),
      timeouts,
    });
    // The body is read completely, so that the connection can be reused.
    await answer.collect(answerMaxBytes).catch(() => undefined);
    return status;
  };
}
