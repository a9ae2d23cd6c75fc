import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import { takeEffect } from '#outbound/take-effect.ts';
import type { Logger } from '#platform/logger.ts';
import type { UpstreamClient } from '#upstream/client.ts';
import type { Job } from './job.ts';

/** Posts a body to the webhook; resolves with the status of the response. */
type PostAlert = (body: Buffer, headers: Readonly<Record<string, string>>) => Promise<number>;

export interface SendAlertsDeps {
  readonly secret: string;
  readonly post: PostAlert;
}

/** Delays before the second and later attempts; then the alert is dropped. */
const retrySeconds = [10, 30, 120, 600, 3_600];
const batch = 20;
const waitingMax = 500;

interface DueAlert extends Record<string, unknown> {
  readonly id: string;
  readonly event: 'raised' | 'ended';
  readonly banner_id: string;
  readonly severity: string;
  readonly message: string;
  readonly tenant_id: number | null;
  readonly raised_at: string;
  readonly attempts: number;
}

/**
 * Posts each banner for operators and administrators to the alert webhook, once when it is raised and once when it is
 * withdrawn. Retries with the same id until the receiver returns a 2xx status, up to a maximum number of attempts.
 */
export function createSendAlerts({ secret, post }: SendAlertsDeps): Job {
  return {
    name: 'send-alerts',
    pattern: '*/5 * * * * *',
    async runInSteps({ database, log }) {
      await database.transaction(async (noting) => {
        await noting.execute(noteRaised);
        await noting.execute(noteEnded);
        await noting.execute(forgetDelivered);
      });
      const { rows } = await database.execute<DueAlert>(listDue);
      for (const alert of rows) await deliver(database, alert, { secret, post }, log);
      const { rows: counted } = await database.execute<{ waiting: number; givenUp: number }>(countAlerts);
      return { waiting: counted[0]?.waiting ?? 0, givenUp: counted[0]?.givenUp ?? 0 };
    },
  };
}

async function deliver(
  database: SystemDatabase,
  alert: DueAlert,
  { secret, post }: SendAlertsDeps,
  log: Logger,
): Promise<void> {
  const use = { effect: 'alert_webhook', tenantId: null, actorId: null, recipient: 'alert webhook' } as const;
  // It stays due, and is delivered in the next window.
  if (await takeEffect(database, use)) return;
  const body = Buffer.from(JSON.stringify(toPayload(alert)));
  const status = await post(body, signAlert(body, secret)).catch((error: Error) => error.message);
  const isDelivered = typeof status === 'number' && status >= 200 && status < 300;
  const retryIn = retrySeconds[alert.attempts] ?? null;
  if (!isDelivered && retryIn === null)
    log.warn(
      { alert: alert.banner_id, event: alert.event, status },
      'the alert webhook did not accept an alert',
    );
  await database.execute(sql`UPDATE alerts SET attempts = attempts + 1, is_delivered = ${isDelivered},
    ended_at = CASE WHEN ${isDelivered || retryIn === null} THEN now() END,
    next_attempt_at = now() + ${retryIn ?? 0} * interval '1 second'
    WHERE id = ${alert.id}`);
}

function toPayload(alert: DueAlert): object {
  return {
    id: Number(alert.id),
    event: alert.event,
    banner_id: alert.banner_id,
    severity: alert.severity,
    message: alert.message,
    tenant_id: alert.tenant_id,
    raised_at: new Date(alert.raised_at).toISOString(),
  };
}

/** Signs the body and the time, so that receivers can reject replays. */
export function signAlert(body: Buffer, secret: string, nowMs = Date.now()): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return { 'sluice-signature': `t=${seconds},v1=${signature}` };
}

// An incident starts when its banner was first raised; a banner that is raised again keeps that time.
const noteRaised = sql`INSERT INTO alerts (banner_id, raised_at, event, severity, message, tenant_id)
  SELECT id, raised_at, 'raised', severity, message, tenant_id FROM banners
  WHERE severity <> 'info' AND (SELECT count(*) FROM alerts WHERE ended_at IS NULL) < ${waitingMax}
  ORDER BY raised_at LIMIT 100
  ON CONFLICT (banner_id, raised_at, event) DO NOTHING`;

const noteEnded = sql`INSERT INTO alerts (banner_id, raised_at, event, severity, message, tenant_id)
  SELECT banner_id, raised_at, 'ended', severity, message, tenant_id FROM alerts a
  WHERE event = 'raised' AND NOT EXISTS (
    SELECT FROM banners b WHERE b.id = a.banner_id AND b.raised_at = a.raised_at
  )
  ON CONFLICT (banner_id, raised_at, event) DO NOTHING`;

// Deletes only complete pairs, 30 days after the end, so that no end is sent twice.
const forgetDelivered = sql`DELETE FROM alerts a USING alerts e
  WHERE e.banner_id = a.banner_id AND e.raised_at = a.raised_at AND e.event = 'ended'
    AND e.ended_at < now() - interval '30 days'`;

// In order of creation, so that no end is sent before its start.
const listDue = sql`SELECT * FROM alerts a WHERE ended_at IS NULL AND next_attempt_at <= now()
  AND NOT EXISTS (SELECT FROM alerts earlier WHERE earlier.ended_at IS NULL AND earlier.id < a.id
    AND earlier.banner_id = a.banner_id)
  ORDER BY id LIMIT ${batch}`;

const countAlerts = sql`SELECT count(*) FILTER (WHERE ended_at IS NULL)::int AS waiting,
  count(*) FILTER (WHERE ended_at IS NOT NULL AND NOT is_delivered)::int AS "givenUp" FROM alerts`;

const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 };
const answerMaxBytes = 64 * 1024;

/** Posts alerts with the client of providers: the outbound guard checks the host, and redirects are not followed. */
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
    // Read to the end, so that the connection can be reused.
    await answer.collect(answerMaxBytes).catch(() => undefined);
    return status;
  };
}
