import { type FallbackDrill, type RoleName, toUsd } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { readBlocks } from '#console/blacklist/entries.ts';
import { openPriceBook, type PriceBook } from '#console/credits/price-book.ts';
import { toExplainedInstance, withModelSet } from '#console/provider-access/explain.ts';
import {
  type InstanceStateRow,
  selectAllOwnGrants,
  selectAllTeamGrants,
  selectInstanceStates,
} from '#console/provider-access/rights-store.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { ExplainedInstance } from '#domain/access/explain-access.ts';
import { replayWithout } from '#domain/access/replay-without.ts';
import { costOf } from '#domain/price/cost.ts';
import type { Price } from '#domain/price/price.ts';
import type { Author } from '#domain/principal.ts';
import type { DrilledCharge, DrilledRequests } from '#domain/request-log/log-rows.ts';
import { createModelDirectory, type Target } from '#domain/resolve-model.ts';
import { notFound } from '#errors/console-error.ts';
import type { Keyring } from '#platform/keyring.ts';
import { findProvider } from '#providers/registry.ts';
import { selectCooldowns } from './list-health.ts';

interface DrillPrice {
  readonly price: Price;
  readonly markupPercent: number;
}

interface ReplayedRequests {
  readonly requests: DrilledRequests;
  /** `null` if the sender was deleted. */
  readonly senderName: string | null;
  /** Instance that would respond if `failure` is `null`. */
  readonly fallback: string | null;
  readonly failure: FallbackDrill['failures'][number]['reason'] | null;
  /** Price at the fallback instance; `null` if unknown. */
  readonly priceOf: DrillPrice | null;
}

/** Maximum number of listed models and users, ordered by number of requests. */
const listedMax = 20;

function sumDrill(replayed: readonly ReplayedRequests[]) {
  const byModel = [...Map.groupBy(replayed, modelOf)].toSorted(byRequests);
  const byPerson = [...Map.groupBy(replayed, ({ requests }) => requests.userId)].toSorted(byRequests);
  const counts = countOutcomes(replayed);
  return {
    ...counts,
    served: counts.requests - counts.failed - counts.waiting,
    failures: sumFailures(replayed),
    cost: sumCosts(replayed.filter(({ failure }) => failure === null)),
    models: byModel.slice(0, listedMax).map(([model, ofModel]) => ({
      model,
      ...countOutcomes(ofModel),
      fallbacks: [...new Set(ofModel.flatMap(({ fallback }) => fallback ?? []))],
    })),
    people: byPerson.slice(0, listedMax).map(([userId, ofPerson]) => ({
      user_id: userId,
      user_name: ofPerson[0]?.senderName ?? 'Unknown',
      ...countOutcomes(ofPerson),
    })),
    models_in_all: byModel.length,
    people_in_all: byPerson.length,
  };
}

const modelOf = ({ requests: { modelRequested, model } }: ReplayedRequests) => modelRequested ?? model ?? '';

const countRequests = (replayed: readonly ReplayedRequests[]) =>
  replayed.reduce((sum, { requests }) => sum + requests.requests, 0);

type Group = readonly [unknown, readonly ReplayedRequests[]];
const byRequests = ([, left]: Group, [, right]: Group) => countRequests(right) - countRequests(left);

/** Requests to targets in cooldown count as waiting, because clients receive a retry time. */
function countOutcomes(replayed: readonly ReplayedRequests[]) {
  const waiting = countRequests(replayed.filter(({ failure }) => failure === 'in_cooldown'));
  const refused = countRequests(replayed.filter(({ failure }) => failure !== null));
  return { requests: countRequests(replayed), failed: refused - waiting, waiting };
}

function sumFailures(replayed: readonly ReplayedRequests[]): FallbackDrill['failures'] {
  return [...Map.groupBy(replayed, ({ failure }) => failure)]
    .flatMap(([reason, alike]) =>
      reason === null
        ? []
        : [
            {
              reason,
              requests: countRequests(alike),
              models: [...new Set(alike.map(modelOf))].slice(0, listedMax),
            },
          ],
    )
    .toSorted((left, right) => right.requests - left.requests);
}

function sumCosts(served: readonly ReplayedRequests[]): FallbackDrill['cost'] {
  let before = 0n;
  let after = 0n;
  let priced = 0;
  for (const { requests, priceOf } of served) {
    if (!priceOf) continue;
    for (const charge of requests.charged) {
      before += BigInt(charge.cost);
      after += costOf(toCounts(charge), priceOf.price, priceOf.markupPercent);
      priced++;
    }
  }
  return { before: toUsd(before), after: toUsd(after), unpriced: countRequests(served) - priced };
}

const toCounts = ({ input, cacheRead, cacheWrite, output, reasoning }: DrilledCharge) => ({
  inputTokens: input,
  cacheReadTokens: cacheRead,
  cacheWriteTokens: cacheWrite,
  outputTokens: output,
  reasoningTokens: reasoning,
});

export interface DrillDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
}

const windowMs = 3_600_000;
/** Maximum number of simulated rows from the last hour. */
const drilledRowsMax = 5_000;
/** Maximum number of counted rows from the last hour. */
const countedRowsMax = 200_000;
const statementMs = 5_000;

/** Sends no requests and does not affect limits. */
export async function drillFallbacks(
  deps: DrillDeps,
  tx: LogTransaction,
  { tenantId }: Author,
  id: number,
): Promise<FallbackDrill> {
  const until = new Date();
  const since = new Date(until.getTime() - windowMs);
  await tx.requestLog.limitTime(statementMs);
  const states = await selectInstanceStates(tx, tenantId);
  if (!states.some((state) => state.id === id)) throw notFound('Provider');
  const requestsInAll = await tx.requestLog.countDrilled(id, since, countedRowsMax);
  const drilled = await tx.requestLog.selectDrilled(id, since, drilledRowsMax);
  const senders = await selectSenders(tx, tenantId);
  const replay = await createReplay(
    tx,
    tenantId,
    id,
    states.map((row) => toExplainedInstance(deps, row)),
    states,
  );
  const replayed = drilled.map((requests) => replay(requests, senders.get(requests.userId ?? 0)));
  return {
    llm_provider_id: id,
    since: since.toISOString(),
    until: until.toISOString(),
    requests_in_all: requestsInAll,
    ...sumDrill(replayed),
  };
}

interface Sender {
  readonly id: number;
  readonly name: string;
  readonly role: RoleName | null;
}

/** Creates a function that routes requests like the gateway, based on the current database contents. */
async function createReplay(
  tx: TenantTransaction,
  tenantId: number,
  downId: number,
  instances: readonly ExplainedInstance[],
  states: readonly InstanceStateRow[],
) {
  const directory = createModelDirectory(instances);
  const blocks = await readBlocks(tx, tenantId);
  const grants = Map.groupBy(await selectAllOwnGrants(tx, tenantId), ({ userId }) => userId);
  const teamGrants = Map.groupBy(await selectAllTeamGrants(tx, tenantId), ({ userId }) => userId);
  const prices = await openPrices(tx, tenantId, states);
  const nowMs = Date.now();
  const cooldownMsOf = await readCooldowns(tx, tenantId, nowMs);
  return (requests: DrilledRequests, sender: Sender | undefined): ReplayedRequests => {
    const senderName = sender?.name ?? null;
    const model = requests.modelRequested ?? requests.model ?? '';
    if (!sender?.role) return { requests, senderName, fallback: null, failure: 'sender_gone', priceOf: null };
    const { target, failure } = replayWithout(model, {
      downId,
      rights: {
        role: sender.role,
        directory,
        blocks,
        grants: (grants.get(sender.id) ?? []).map(withModelSet),
        listTeamGrants: () => (teamGrants.get(sender.id) ?? []).map(withModelSet),
      },
      canCarry: (one) => prices.isPayable(one) && serves(one, requests.operation),
      cooldownMsOf,
      nowMs,
    });
    const priceOf = target && prices.find(target);
    return { requests, senderName, fallback: target?.instance.name ?? null, failure, priceOf };
  };
}

async function readCooldowns(tx: TenantTransaction, tenantId: number, nowMs: number) {
  const cooldowns = await selectCooldowns(tx, tenantId);
  return ({ instance, model }: Target): number | null => {
    const found = cooldowns.find((cooldown) => cooldown.id === instance.id && cooldown.model === model);
    return found ? Math.max(found.retryAtMs - nowMs, 0) : null;
  };
}

async function openPrices(tx: TenantTransaction, tenantId: number, states: readonly InstanceStateRow[]) {
  const book: PriceBook = await openPriceBook(tx, tenantId);
  const { isAllowed, markupPercent } = await findSpending(tx, tenantId);
  const managed = new Set(states.filter((row) => row.isServiceManaged).map((row) => row.id));
  const find = ({ instance, model }: Target): DrillPrice | null => {
    const priced = book.find(instance.providerKey, model, instance.id);
    return priced && { price: priced.price, markupPercent: managed.has(instance.id) ? markupPercent : 0 };
  };
  const isPayable = (target: Target) =>
    !managed.has(target.instance.id) || (isAllowed && find(target) !== null);
  return { find, isPayable };
}

/** Features of the request body are not checked, because they are not in the log. */
function serves({ instance }: Target, operation: string): boolean {
  return operation !== 'embeddings' || findProvider(instance.providerKey).embeddings !== undefined;
}

async function selectSenders(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ id: number; name: string; role: RoleName | null }>(sql`
    SELECT u.id, u.name, CASE WHEN u.is_active AND NOT u.is_blocked THEN r.name END AS role
    FROM users u JOIN roles r ON r.id = u.role_id WHERE u.tenant_id = ${tenantId}`);
  return new Map(rows.map((row) => [row.id, row]));
}

async function findSpending(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ isAllowed: boolean; markupPercent: number }>(sql`
    SELECT t.is_service_spending_allowed AS "isAllowed", s.markup_percentage::float8 AS "markupPercent"
    FROM tenants t, platform_settings s WHERE t.id = ${tenantId}`);
  return rows[0] ?? { isAllowed: false, markupPercent: 0 };
}
