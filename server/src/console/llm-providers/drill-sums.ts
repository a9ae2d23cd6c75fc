import { type FallbackDrill, toUsd } from '@sluice/contract';
import { costOf } from '#domain/price/cost.ts';
import type { Price } from '#domain/price/price.ts';
import type { DrilledCharge, DrilledRequests } from './drill-store.ts';

/** Price of a request at a target. */
export interface DrillPrice {
  readonly price: Price;
  readonly markupPercent: number;
}

/** Equivalent requests and the simulated outcome of each. */
export interface ReplayedRequests {
  readonly requests: DrilledRequests;
  /** `null` if the sender was deleted. */
  readonly senderName: string | null;
  /** Instance that would answer if `failure` is `null`. */
  readonly fallback: string | null;
  readonly failure: FallbackDrill['failures'][number]['reason'] | null;
  /** Price of the fallback; `null` if unknown. */
  readonly priceOf: DrillPrice | null;
}

/** Maximum number of listed models and users, those with the most requests. */
const listedMax = 20;

export function sumDrill(replayed: readonly ReplayedRequests[]) {
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

/** Requests to targets in cooldown count as waiting, because their clients get a retry time. */
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

/** Sums requests with a cost and a priced fallback; the others are only counted. */
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
