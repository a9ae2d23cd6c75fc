import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { raiseBanner } from '#banners/banners.ts';
import { installationLocks } from '#db/installation-locks.ts';
import { type BlockFacts, chooseBlocks } from '#domain/deviation/choose-blocks.ts';
import type { FoldedUser } from './fold-scores.ts';

/**
 * Runs in the caller's transaction. The block-rate limit may prevent some blocks; a banner then notifies the tenant's
 * administrators.
 */
export async function blockUsers(client: pg.PoolClient, users: readonly FoldedUser[]): Promise<void> {
  const candidates = users.filter(
    ({ crossing, isBlocked, policy }) => crossing !== null && policy.mode === 'block' && !isBlocked,
  );
  if (candidates.length === 0) return;
  // Serialize blocking across nodes, so that the counts read below are still valid at commit.
  await client.query('SELECT pg_advisory_xact_lock($1)', [installationLocks.superAdministrators]);
  const byTenant = Map.groupBy(candidates, ({ tenantId }) => tenantId);
  for (const [tenantId, crossed] of byTenant) {
    // The console locks the same row when it counts and changes administrators.
    await client.query('SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [tenantId]);
    const { rows } = await client.query<BlockFacts>(selectFacts, [tenantId]);
    const [facts] = rows;
    if (!facts) continue;
    const userIds = crossed.map(({ userId }) => userId);
    const blocked = new Set(chooseBlocks(userIds, facts));
    await client.query(block, [
      userIds,
      crossed.map(formatBlockReason),
      crossed.map(({ userId }) => blocked.has(userId)),
      crossed.map(({ crossing }) => crossing?.requestId ?? null),
      crossed.map(({ crossing }) => crossing?.change.before ?? 0),
      crossed.map(({ crossing }) => crossing?.change.after ?? 0),
    ]);
    if (blocked.size < crossed.length) await raiseBlockRateBanner(client, tenantId);
  }
}

function formatBlockReason({ crossing, policy }: FoldedUser): string {
  const score = (crossing?.change.after ?? 0).toFixed(2);
  return `the deviation score ${score} has reached the threshold of ${policy.thresholds.block.toFixed(2)}`;
}

async function raiseBlockRateBanner(client: pg.PoolClient, tenantId: number): Promise<void> {
  await raiseBanner(drizzle({ client }), {
    id: `deviation-brake-${tenantId}`,
    severity: 'warning',
    audience: 'admin',
    tenantId,
    message:
      'The deviation policy would have blocked more users than allowed per hour, or the last administrator. They were not blocked: check the policy in the settings.',
  });
}

const selectFacts = `SELECT
    (SELECT count(*)::integer FROM users WHERE tenant_id = $1 AND is_active) AS users,
    (SELECT count(*)::integer FROM score_events WHERE tenant_id = $1 AND kind = 'block' AND actor_id IS NULL
      AND created_at > now() - interval '1 hour') AS "recentBlocks",
    (SELECT coalesce(array_agg(id), '{}') FROM users WHERE tenant_id = $1 AND role_id IN (1, 2) AND account_kind = 'person' AND is_active
      AND NOT is_blocked) AS "administratorIds"`;

const block = `WITH crossed AS (
    SELECT * FROM unnest($1::integer[], $2::text[], $3::boolean[], $4::uuid[], $5::float8[], $6::float8[])
      AS c (id, reason, is_blocked, request_id, score_before, score_after)
  ), blocked AS (
    UPDATE users SET is_blocked = true, blocked_reason = c.reason, blocked_at = now(), blocked_by = NULL,
      token_version = token_version + 1
    FROM crossed c WHERE users.id = c.id AND c.is_blocked
  )
  INSERT INTO score_events (tenant_id, user_id, kind, request_id, score_before, score_after, reason)
  SELECT u.tenant_id, c.id, CASE WHEN c.is_blocked THEN 'block' ELSE 'spare' END, c.request_id, c.score_before,
    c.score_after, c.reason
  FROM crossed c JOIN users u ON u.id = c.id
  WHERE c.is_blocked OR NOT EXISTS (SELECT FROM score_events e WHERE e.user_id = c.id AND e.kind = 'spare'
    AND e.created_at > now() - interval '1 hour')`;
