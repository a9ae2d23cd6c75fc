import { type ModelWinRate, toUsd } from '@sluice/contract';
import { winRateOf } from '#domain/win-rate.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { countVotes, sumVotedAnswers } from './votes-store.ts';

/**
 * Computes win rates from all votes of the tenant. The cost is the mean of answers that were voted on and have a price.
 */
export function listWinRates({ inTenant, principal }: SignedInContext): Promise<ModelWinRate[]> {
  return inTenant(async (tx) => {
    const counts = await countVotes(tx, principal.tenantId);
    const sums = await sumVotedAnswers(tx, principal.tenantId);
    return counts.map(({ registryId, providerName, modelName, ...count }) => {
      const answers = sums.find((sum) => sum.registryId === registryId && sum.modelName === modelName);
      const { rate, low, high } = winRateOf(count);
      const cost = answers?.pricedCount ? BigInt(answers.costNanoUsd) : null;
      return {
        provider_registry_id: registryId,
        provider_name: providerName,
        model_name: modelName,
        ...count,
        win_rate: rate,
        win_rate_low: low,
        win_rate_high: high,
        answers: answers?.count ?? 0,
        total_cost: cost === null ? null : toUsd(cost),
        average_cost_per_answer: cost === null ? null : toUsd(cost / BigInt(answers?.pricedCount ?? 1)),
      };
    });
  });
}
