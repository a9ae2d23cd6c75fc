import type { DeviationPolicy, RoleName } from '@sluice/contract';
import type pg from 'pg';
import { countRequest } from '#domain/deviation/count-request.ts';
import { type DeviationState, foldEvents, type Pace, type RecentTexts } from '#domain/deviation/fold.ts';
import { bindPolicy, readPolicy } from '#domain/deviation/policy.ts';
import { findLevel, listReceipts, type ScoreChange } from '#domain/deviation/score.ts';
import type { ScoredRequest } from '#gateway/deviation/scoreboard.ts';

export interface LockedUser {
  readonly userId: number;
  readonly tenantId: number;
  readonly isBlocked: boolean;
  readonly policy: DeviationPolicy;
  readonly state: DeviationState;
}

export interface FoldedUser extends LockedUser {
  readonly before: DeviationState;
  /** `null` if no request raised the user's score to the block threshold. */
  readonly crossing: { readonly requestId: string; readonly change: ScoreChange } | null;
}

export interface FoldedScores {
  readonly users: readonly FoldedUser[];
  readonly changes: ReadonlyMap<string, ScoreChange>;
}

/** Locks users in ascending id order, so that concurrent batches never deadlock. Skips users without scores. */
export async function lockUsers(
  client: pg.ClientBase,
  records: readonly ScoredRequest[],
): Promise<LockedUser[]> {
  const counted = records.filter((record) => countRequest(record) !== null);
  const userIds = [...new Set(counted.flatMap(({ userId }) => userId ?? []))];
  if (userIds.length === 0) return [];
  const { rows } = await client.query<UserRow>(lockRows, [userIds]);
  return rows.map(({ id, tenant_id, role, is_blocked, policy, score, scored_at_ms, pace, recent }) => ({
    userId: id,
    tenantId: tenant_id,
    isBlocked: is_blocked,
    policy: bindPolicy(readPolicy(policy), role),
    state: { score, scoredAtMs: scored_at_ms, pace, recent },
  }));
}

/** A duplicate request counts once. */
export function foldScores(users: readonly LockedUser[], records: readonly ScoredRequest[]): FoldedScores {
  const recordsById = new Map(records.map((record) => [record.id, record]));
  const recordsByUser = Map.groupBy(recordsById.values(), ({ userId }) => userId);
  const changes = new Map<string, ScoreChange>();
  const folded = users.flatMap((user) => {
    const events = (recordsByUser.get(user.userId) ?? []).flatMap((record) => countRequest(record) ?? []);
    if (events.length === 0) return [];
    const fold = foldEvents(user.state, events, user.policy.weights);
    for (const { event, change } of fold.folded) changes.set(event.id, change);
    const crossing = fold.folded.find(({ change }) => crosses(change, user.policy.thresholds.block));
    return [
      {
        ...user,
        state: fold.state,
        before: user.state,
        crossing: crossing ? { requestId: crossing.event.id, change: crossing.change } : null,
      },
    ];
  });
  return { users: folded, changes };
}

/**
 * For users already above the threshold, each increase counts as a crossing, because an earlier block may have been
 * prevented.
 */
function crosses({ before, after }: ScoreChange, threshold: number): boolean {
  return after >= threshold && after > before;
}

/** Other nodes read a changed level at their next poll. */
export async function writeScores(client: pg.ClientBase, users: readonly FoldedUser[]): Promise<void> {
  if (users.length === 0) return;
  const column = <Value>(read: (user: FoldedUser) => Value) => users.map(read);
  await client.query(updateScores, [
    column(({ userId }) => userId),
    column(({ state }) => state.score),
    column(({ state }) => new Date(state.scoredAtMs ?? 0).toISOString()),
    column(({ state }) => JSON.stringify(state.pace)),
    column(({ state }) => JSON.stringify(state.recent ?? null)),
    column(hasNewLevel),
  ]);
}

export function toScoreColumns(change: ScoreChange | undefined) {
  return {
    user_score_before: change?.before ?? null,
    user_score_after: change?.after ?? null,
    deviation_score_delta: change ? Math.round((change.after - change.before) * 1e9) / 1e9 : null,
    deviation_receipts: change ? listReceipts(change) : null,
  };
}

function hasNewLevel({ before, state, policy: { thresholds } }: FoldedUser): boolean {
  return findLevel(before.score, thresholds) !== findLevel(state.score, thresholds);
}

interface UserRow {
  readonly id: number;
  readonly tenant_id: number;
  readonly role: RoleName;
  readonly is_blocked: boolean;
  readonly policy: unknown;
  readonly score: number;
  readonly scored_at_ms: number | null;
  readonly pace: Pace | null;
  readonly recent: RecentTexts | null;
}

const lockRows = `SELECT u.id, u.tenant_id, r.name AS role, u.is_blocked, t.deviation_policy AS policy, u.deviation_score AS score,
    (extract(epoch FROM u.deviation_scored_at) * 1000)::float8 AS scored_at_ms, u.deviation_pace AS pace, u.deviation_recent AS recent
  FROM users u JOIN tenants t ON t.id = u.tenant_id JOIN roles r ON r.id = u.role_id
  WHERE u.id = ANY($1::integer[]) AND u.scores_deviation ORDER BY u.id FOR NO KEY UPDATE OF u`;

// Update only the timestamp. A notification would serialize the commits of all batches.
const updateScores = `UPDATE users SET deviation_score = s.score, deviation_scored_at = s.at, deviation_pace = s.pace,
    deviation_recent = NULLIF(s.recent, 'null'),
    changed_at = CASE WHEN s.has_new_level THEN now() ELSE changed_at END
  FROM unnest($1::integer[], $2::float8[], $3::timestamptz[], $4::jsonb[], $5::jsonb[], $6::boolean[])
    AS s (id, score, at, pace, recent, has_new_level)
  WHERE users.id = s.id`;
