import { createHash } from 'node:crypto';
import {
  answerLabels,
  type Comparison,
  type ComparisonResult,
  type ComparisonVote,
  toUsd,
} from '@sluice/contract';
import type { ComparisonRow, ResultRow } from './store.ts';

/** Blind comparisons hide models and speed until the viewer has voted. */
export function toComparison(row: ComparisonRow, viewerId: number): Comparison {
  const isRevealed = !row.isBlind || row.vote !== null || !isWorthVote(row);
  const cost = row.results.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0n), 0n);
  const labeled = row.isBlind ? orderBlindly(row.results, viewerId) : null;
  return {
    id: row.id,
    user_id: row.userId,
    user_name: row.userName,
    prompt: row.prompt,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    providers_count: row.results.length,
    total_cost: isRevealed ? toUsd(cost) : null,
    is_blind: row.isBlind,
    is_revealed: isRevealed,
    vote: row.vote && toVote(row.vote, labeled ?? []),
    results: !labeled
      ? row.results.map((result) => toResult(result))
      : isRevealed
        ? labeled.map(({ answer, label }) => toResult(answer, label))
        : labeled.map((answer) => toHiddenResult(answer, row.status === 'pending')),
  };
}

/** Returns whether at least two answers can be compared, or may become comparable while the comparison is running. */
const isWorthVote = ({ status, results }: ComparisonRow) =>
  status === 'pending' || results.filter((result) => result.status === 'completed').length > 1;

const toVote = (
  { verdict, resultId }: NonNullable<ComparisonRow['vote']>,
  labeled: readonly LabeledAnswer<ResultRow>[],
): ComparisonVote | null =>
  verdict === 'best' ? (labeled.find(({ answer }) => answer.id === resultId)?.label ?? null) : verdict;

function toResult(row: ResultRow, label: ComparisonResult['label'] = null): ComparisonResult {
  return {
    id: row.id,
    label,
    provider_registry_id: row.providerRegistryId,
    provider_name: row.providerName,
    model_name: row.modelName,
    status: row.status,
    response_text: row.responseText,
    error_message: row.errorMessage,
    cost: row.costNanoUsd === null ? null : toUsd(row.costNanoUsd),
    response_time_ms: row.responseTimeMs,
    total_tokens: row.totalTokens,
    request_id: row.requestId,
  };
}

/**
 * Hides which model wrote an answer. All results are pending until the last one has ended, because the fastest model
 * would be recognizable. Error messages are omitted, because they name the provider.
 */
function toHiddenResult(
  { answer, label, blindId }: LabeledAnswer<ResultRow>,
  isPending: boolean,
): ComparisonResult {
  return {
    id: blindId,
    label,
    provider_registry_id: null,
    provider_name: null,
    model_name: null,
    status: isPending ? 'pending' : answer.status,
    response_text: isPending ? null : answer.responseText,
    error_message: null,
    cost: null,
    response_time_ms: null,
    total_tokens: null,
    request_id: null,
  };
}

export type AnswerLabel = (typeof answerLabels)[number];

interface LabeledAnswer<Answer> {
  readonly answer: Answer;
  readonly label: AnswerLabel;
  /** Replaces the answer's id, which would reveal the order in which the models were selected. */
  readonly blindId: string;
}

/** Orders the answers of a blind comparison. The order is stable for each user but differs between users. */
export function orderBlindly<Answer extends { readonly id: string }>(
  answers: readonly Answer[],
  viewerId: number,
): LabeledAnswer<Answer>[] {
  return answers
    .map((answer) => ({ answer, blindId: toBlindId(answer.id, viewerId) }))
    .toSorted((one, other) => (one.blindId < other.blindId ? -1 : 1))
    .map((one, index) => ({ ...one, label: answerLabels[index] ?? 'F' }));
}

/** Returns a hash of the id, which reveals nothing: the id has 74 random bits and is secret until the vote. */
function toBlindId(id: string, viewerId: number): string {
  const hash = createHash('sha256').update(`${viewerId} ${id}`).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
