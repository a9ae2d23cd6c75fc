import { type Comparison, type ComparisonStats, type ModelWinRate, toUsd } from '@sluice/contract';
import { recordPromptListRead, recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { isAllowed } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { winRateOf } from '#domain/win-rate.ts';
import { notFound } from '#errors/console-error.ts';
import { Page } from '#http/verbs.ts';
import {
  type ComparisonFilters,
  type ComparisonRow,
  conditionOf,
  countComparisons,
  findComparison,
  selectComparisons,
  sumComparisons,
} from './store.ts';
import { toComparison } from './to-comparison.ts';
import { countVotes, sumVotedAnswers } from './votes-store.ts';

const textMax = 200;

interface ComparisonPage {
  readonly offset: number;
  readonly limit: number;
}

export function listComparisons(
  tx: LogTransaction,
  author: Principal,
  { offset, limit, ...filters }: ComparisonPage & Omit<ComparisonFilters, 'userId'>,
): Promise<Page<Comparison[]>> {
  return listPage(tx, author, { userId: author.userId, ...filters }, { offset, limit });
}

export function listAllComparisons(
  tx: LogTransaction,
  author: Principal,
  {
    offset,
    limit,
    user_id: userId,
    ...filters
  }: ComparisonPage & Omit<ComparisonFilters, 'userId'> & { readonly user_id?: number | undefined },
): Promise<Page<Comparison[]>> {
  return listPage(tx, author, { userId, ...filters }, { offset, limit });
}

async function listPage(
  tx: LogTransaction,
  author: Principal,
  filters: ComparisonFilters,
  page: ComparisonPage,
): Promise<Page<Comparison[]>> {
  const condition = conditionOf(author.tenantId, filters);
  const totalCount = formatTotalCount(await countComparisons(tx, condition));
  const rows = await selectComparisons(tx, author, condition, { ...page, textMax });
  await recordPromptListRead(
    tx,
    rows.map(({ id }) => id),
  );
  return new Page(
    rows.map((row) => toComparison(row, author.userId)),
    totalCount,
  );
}

export async function getComparison(tx: LogTransaction, author: Principal, id: string): Promise<Comparison> {
  return toComparison(await readComparison(tx, author, id), author.userId);
}

/**
 * Returns a comparison. Reading another user's comparison requires access to the log and is recorded in the audit
 * log.
 * @throws ConsoleError 404 if the caller may not read the comparison
 */
export async function readComparison(
  tx: LogTransaction,
  principal: Principal,
  id: string,
): Promise<ComparisonRow> {
  const row = await findComparison(tx, principal, id);
  const isOwn = row?.userId === principal.userId;
  if (!row || !(isOwn || isAllowed(principal, 'logs.read'))) throw notFound('Comparison');
  await recordPromptRead(tx, id);
  return row;
}

export async function getComparisonStats(tx: TenantTransaction, author: Principal): Promise<ComparisonStats> {
  const { tenantId, userId } = author;
  const { total, costNanoUsd } = await sumComparisons(tx, tenantId, userId);
  const cost = BigInt(costNanoUsd);
  return {
    total_comparisons: total,
    total_cost: toUsd(cost),
    average_cost_per_comparison: total === 0 ? 0 : toUsd(cost / BigInt(total)),
  };
}

/** The cost is the mean over answers with a price and a vote. */
export async function listWinRates(tx: TenantTransaction, author: Principal): Promise<ModelWinRate[]> {
  const counts = await countVotes(tx, author.tenantId);
  const sums = await sumVotedAnswers(tx, author.tenantId);
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
}
