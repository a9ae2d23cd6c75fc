import {
  describeBudget,
  describeBudgetSubject,
  formatBudgetAmount,
} from '#domain/allowance/describe-budget.ts';
import { isBudget } from '#domain/allowance/window.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { formatDuration, heldRetryMs, LimitReached, LimitsUnavailable } from '../allowance/limit-error.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { BudgetEntry } from '../snapshot/tables/budgets.ts';

/** Returns the budget whose limit a request has reached; `undefined` for other errors. */
export function findReachedBudget(
  error: unknown,
  { budgets }: Pick<Snapshot, 'budgets'>,
): BudgetEntry | undefined {
  const reached = error instanceof GatewayError ? error.cause : error;
  return reached instanceof LimitReached && isBudget(reached.facts.kind)
    ? budgets.get(reached.facts.subjectId)
    : undefined;
}

/** Converts a reached budget to an error for the caller. Returns other errors unchanged. */
export function budgetError(error: unknown, snapshot: Snapshot, nowMs: number): unknown {
  if (!(error instanceof LimitReached) || !isBudget(error.facts.kind)) return error;
  const { amount, isHeldInFlight, isMissing, left, limit, resetsAtMs, settled } = error.facts;
  const budget = findReachedBudget(error, snapshot);
  // The budget has just been deleted, so it no longer limits anything.
  if (!budget || isMissing) return new LimitsUnavailable(error);
  const { measure, period } = budget;
  if (measure === 'parallel_requests')
    return parallelLimitError(error, describeBudgetSubject(findNames(budget, snapshot)));
  const format = (value: number) => formatBudgetAmount(measure, Math.max(0, value));
  const held = limit - settled - left;
  const name = describeBudget(period.unit, measure, describeBudgetSubject(findNames(budget, snapshot)));
  const parts = [
    `The ${name} does not cover this request: ${format(settled)} of ${format(limit)} ${measure === 'usd' ? 'is spent' : 'are used'}`,
    held > 0 ? `, ${format(held)} ${measure === 'usd' ? 'is' : 'are'} held by requests in flight` : '',
    `, and this request needs at least ${format(amount)}. `,
    Number.isFinite(resetsAtMs)
      ? `It resets at ${new Date(resetsAtMs).toISOString()} (in ${formatDuration(resetsAtMs - nowMs)}).`
      : 'It does not reset: ask your administrator to raise it.',
    isHeldInFlight ? ' Requests in flight may release the held part within a second.' : '',
  ];
  const retryAfterMs = isHeldInFlight ? heldRetryMs : Math.max(0, resetsAtMs - nowMs);
  return new GatewayError('budget_exceeded', parts.join(''), {
    cause: error,
    ...(Number.isFinite(retryAfterMs) && { retryAfterMs }),
  });
}

function parallelLimitError(error: LimitReached, subject: string): GatewayError {
  const { limit } = error.facts;
  const counted = formatBudgetAmount('parallel_requests', limit);
  const message =
    limit === 0
      ? `The limit of ${subject} allows no requests. Ask your administrator to raise it.`
      : `The limit of ${subject} is ${counted}, all of which are in flight. Retry when one of them has ended.`;
  return new GatewayError('too_many_at_once', message, {
    cause: error,
    ...(limit > 0 && { retryAfterMs: heldRetryMs }),
  });
}

function findNames(budget: BudgetEntry, snapshot: Snapshot) {
  const { apiKeyId, instanceId, models, taskId, teamId, userId } = budget;
  const nameOf = <Row>(
    id: number | null,
    rows: { get(id: number): Row | undefined },
    read: (row: Row) => string,
  ) => {
    if (id === null) return null;
    const row = rows.get(id);
    return row === undefined ? String(id) : read(row);
  };
  return {
    models,
    apiKey: nameOf(apiKeyId, snapshot.apiKeys, ({ name }) => name),
    instance: nameOf(instanceId, snapshot.instances, ({ name }) => name),
    task: nameOf(taskId, snapshot.tasks, ({ title }) => title),
    team: nameOf(teamId, snapshot.teams, ({ name }) => name),
    user: nameOf(userId, snapshot.users, ({ name }) => name),
  };
}
