import type { AccessExplanation } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { readBlocks } from '#console/blacklist/entries.ts';
import { openPriceBook } from '#console/credits/price-book.ts';
import { selectActiveTasks } from '#console/tasks/active-tasks.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { LimitStanding } from '#domain/access/check-caller.ts';
import { type ExplainedInstance, explainAccess } from '#domain/access/explain-access.ts';
import { type AllowanceKind, findWindow } from '#domain/allowance/window.ts';
import { chooseTask } from '#domain/choose-task.ts';
import type { Author } from '#domain/principal.ts';
import type { Target } from '#domain/resolve-model.ts';
import { notFound } from '#errors/console-error.ts';
import { readAccounts } from '#ledger/read.ts';
import type { Keyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace, SealBrokenError } from '#platform/seal-secret.ts';
import { isBuiltInProvider } from '#providers/registry.ts';
import { type CircuitBreaker, circuitKey } from '#upstream/circuit-breaker.ts';
import type { CircuitReading } from '#upstream/circuit-state.ts';
import {
  findPerson,
  type InstanceStateRow,
  type PersonRow,
  selectInstanceStates,
  selectOwnGrants,
  selectTeamGrants,
} from './rights-store.ts';

export interface ExplainAccessDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  /** Circuits of this node. Other nodes may have different open circuits. */
  readonly circuits: Pick<CircuitBreaker, 'read'>;
}

interface ExplainedRequest {
  readonly user_id: number;
  readonly model: string;
  readonly task_id?: number | null | undefined;
}

/**
 * Explains whether the gateway would currently accept a user's request for a model, using the gateway's own rules.
 * Sends no request.
 */
export async function explainUserAccess(
  deps: ExplainAccessDeps,
  tx: TenantTransaction,
  author: Author,
  { user_id: userId, model, task_id: taskId = null }: ExplainedRequest,
): Promise<AccessExplanation> {
  const { tenantId } = author;
  const person = await findPerson(tx, tenantId, userId);
  if (!person) throw notFound('User');
  const instances = await selectInstanceStates(tx, tenantId);
  const tasks = await selectActiveTasks(tx, userId);
  const teamGrants = await selectTeamGrants(tx, tenantId, userId);
  const explanation = explainAccess({
    model,
    person,
    tenant: {
      name: person.tenantName,
      status: person.tenantStatus,
      suspensionReason: person.suspensionReason,
    },
    tasks,
    taskId,
    instances: instances.map((row) => toExplainedInstance(deps, row)),
    rights: {
      role: person.role,
      blocks: await readBlocks(tx, tenantId),
      grants: (await selectOwnGrants(tx, tenantId, userId)).map(withModelSet),
      listTeamGrants: () => teamGrants.map(withModelSet),
    },
    teamNames: new Map(teamGrants.map(({ teamId, teamName }) => [teamId, teamName])),
    limitsOf: await readLimits(tx, { tenantId, userId, person, tasks, taskId, instances }),
    cooldownMsOf: (target) =>
      findCooldownMs(deps.circuits.read(circuitKey(target.instance.id, target.model), userId)),
    nowMs: Date.now(),
  });
  return { user_id: userId, model, tasks: tasks.map(({ id, title }) => ({ id, title })), ...explanation };
}

function findCooldownMs(reading: CircuitReading): number | null {
  return reading.state === 'closed' ? null : reading.retryAfterMs;
}

export function withModelSet<Grant extends { models: string[] }>({ models, ...grant }: Grant) {
  return { ...grant, models: new Set(models) };
}

export function toExplainedInstance(
  { keyring }: Pick<ExplainAccessDeps, 'keyring'>,
  row: InstanceStateRow,
): ExplainedInstance {
  const reasons: [isInactive: boolean, reason: string][] = [
    [!row.isSwitchedOn, 'is disabled'],
    [!row.isVendorSwitchedOn, 'its provider is disabled for all tenants'],
    [
      !isBuiltInProvider(row.providerKey) && row.vendorEndpoint === null,
      'its provider is unknown to this version',
    ],
    [!hasUsableKey(keyring, row), 'its key cannot be decrypted'],
  ];
  const inactiveReason = reasons.find(([isInactive]) => isInactive)?.[1] ?? null;
  return { ...row, isActive: inactiveReason === null, inactiveReason };
}

/** True if the key can be decrypted or no key is needed. */
function hasUsableKey(
  { sealingKey }: ExplainAccessDeps['keyring'],
  { id, sealedApiKey, tenantId }: InstanceStateRow,
): boolean {
  if (sealedApiKey === null) return true;
  try {
    openSecret(sealingKey, providerKeyPlace(tenantId, id), sealedApiKey);
    return true;
  } catch (error) {
    if (error instanceof SealBrokenError) return false;
    throw error;
  }
}

interface LimitedPerson {
  readonly tenantId: number;
  readonly userId: number;
  readonly person: PersonRow;
  readonly tasks: Awaited<ReturnType<typeof selectActiveTasks>>;
  readonly taskId: number | null;
  readonly instances: readonly InstanceStateRow[];
}

async function readLimits(
  tx: TenantTransaction,
  { tenantId, userId, person, tasks, taskId, instances }: LimitedPerson,
): Promise<(targets: readonly Target[]) => readonly LimitStanding[]> {
  const { timeZone, isServiceSpendingAllowed } = person;
  const chosen = chooseTask(tasks, taskId, true);
  const task = chosen.kind === 'task' ? chosen.task : null;
  const assignmentId = task?.assignmentId ?? null;
  const settled = await readSettled(tx, { tenantId, userId, timeZone, assignmentId });
  const prices = await openPriceBook(tx, tenantId);
  const [account] = await readAccounts(tx, tenantId);
  const stand = (kind: LimitStanding['kind'], limit: number | null): LimitStanding => ({
    kind,
    limit,
    left: limit === null ? null : limit - (settled.get(kind) ?? 0),
  });
  const own = [
    stand('requests_per_hour', person.requestsPerHour),
    stand('tokens_per_day', person.dailyQuota),
    stand('tokens_per_month', person.monthlyQuota),
    ...(task ? [stand('task_tokens', task.tokenLimit)] : []),
  ];
  const managed = new Set(instances.filter((row) => row.isServiceManaged).map(({ id }) => id));
  return (targets) => {
    const charged = targets.filter(({ instance }) => managed.has(instance.id));
    if (charged.length === 0) return own;
    const isPriced = ({ instance, model }: Target) =>
      prices.find(instance.providerKey, model, instance.id) !== null;
    if (isServiceSpendingAllowed && charged.some(isPriced)) {
      const balance = Number(account?.balance ?? 0n);
      return [...own, { kind: 'credits', limit: balance, left: balance }];
    }
    if (charged.length < targets.length) return own;
    const reason = isServiceSpendingAllowed ? 'no price is known' : 'spending credits is disabled';
    const shutReason = `The model is paid with credits, and ${reason}`;
    return [{ kind: 'credits', limit: null, left: null, shutReason }, ...own];
  };
}

async function readSettled(
  tx: TenantTransaction,
  {
    tenantId,
    userId,
    timeZone,
    assignmentId,
  }: { tenantId: number; userId: number; timeZone: string; assignmentId: number | null },
): Promise<Map<AllowanceKind, number>> {
  const { rows: clock } = await tx.execute<{ nowMs: number }>(
    sql`SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS "nowMs"`,
  );
  const isOfUser = (kind: AllowanceKind) => {
    const { startMs } = findWindow(kind, clock[0]?.nowMs ?? 0, timeZone);
    const start = new Date(startMs).toISOString();
    return sql`(kind = ${kind} AND subject_id = ${userId} AND window_start = ${start}::timestamptz)`;
  };
  const { rows } = await tx.execute<{ kind: AllowanceKind; settled: number }>(sql`
    SELECT kind, settled::float8 AS settled FROM allowances
    WHERE tenant_id = ${tenantId} AND (${isOfUser('requests_per_hour')} OR ${isOfUser('tokens_per_day')}
      OR ${isOfUser('tokens_per_month')}
      OR (kind = 'task_tokens' AND subject_id = ${assignmentId}::integer AND window_start = '-infinity'))`);
  return new Map(rows.map(({ kind, settled }) => [kind, settled]));
}
