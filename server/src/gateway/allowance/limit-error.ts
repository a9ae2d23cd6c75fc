import type { ErrorCode } from '@sluice/contract';
import { type AllowanceKind, countsRequests } from '#domain/allowance/window.ts';
import { GatewayError } from '#errors/gateway-error.ts';

/** Amounts are requests, tokens or, for credits and dollar budgets, nano-dollars. */
export interface LimitFacts {
  readonly kind: AllowanceKind;
  /** Id of the user, the task assignment, the budget or the tenant. */
  readonly subjectId: number;
  readonly limit: number;
  /**
   * Whether the allowance does not exist, for example because the budget was deleted or the tenant never had credits.
   */
  readonly isMissing?: boolean;
  /** Amount used by ended requests, as far as this node knows. */
  readonly settled: number;
  readonly left: number;
  /** Minimum amount the request needs. */
  readonly amount: number;
  /** Wall-clock milliseconds of the database; infinite if the limit never resets. */
  readonly resetsAtMs: number;
  /** Whether the request would fit if the amounts held by requests in flight were released. */
  readonly isHeldInFlight: boolean;
}

export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly facts: LimitFacts;

  constructor(facts: LimitFacts) {
    super(`the allowance ${facts.kind} is too small`);
    this.facts = facts;
  }
}

/** Thrown when limits cannot be enforced because the database is unavailable and the leases do not suffice. */
export class LimitsUnavailable extends Error {
  override readonly name = 'LimitsUnavailable';

  constructor(cause?: unknown) {
    super('limits cannot be enforced at the moment', { cause });
  }
}

const codes: Record<AllowanceKind, ErrorCode> = {
  requests_per_hour: 'requests_per_hour_exceeded',
  tokens_per_day: 'tokens_per_day_exceeded',
  tokens_per_month: 'tokens_per_month_exceeded',
  task_tokens: 'task_tokens_exceeded',
  credits: 'insufficient_credits',
  usd_budget: 'budget_exceeded',
  token_budget: 'budget_exceeded',
  request_budget: 'budget_exceeded',
  parallel_requests: 'too_many_at_once',
};

/** Expected time until requests in flight release their unused amounts. */
export const heldRetryMs = 1_000;

/** Converts a reached limit to an error for the caller. Returns other errors unchanged. */
export function limitError(error: unknown, nowMs: number): unknown {
  if (error instanceof LimitsUnavailable) {
    return new GatewayError('not_ready', 'The gateway cannot check limits at the moment. Please retry.', {
      retryAfterMs: 1_000,
      cause: error,
    });
  }
  if (!(error instanceof LimitReached)) return error;
  const { kind, isHeldInFlight, resetsAtMs } = error.facts;
  const retryAfterMs = isHeldInFlight ? heldRetryMs : Math.max(0, resetsAtMs - nowMs);
  return new GatewayError(codes[kind], formatReason(error.facts, nowMs), {
    cause: error,
    ...(Number.isFinite(retryAfterMs) && { retryAfterMs }),
  });
}

const subjects: Record<AllowanceKind, string> = {
  requests_per_hour: 'Your limit of requests per hour',
  tokens_per_day: 'Your daily token quota',
  tokens_per_month: 'Your monthly token quota',
  task_tokens: 'The token limit of this task',
  credits: "Your organization's credit balance",
  usd_budget: 'Your budget in dollars',
  token_budget: 'Your token budget',
  request_budget: 'Your request budget',
  parallel_requests: 'Your limit of parallel requests',
};

function formatReason(
  { kind, amount, isHeldInFlight, left, limit, resetsAtMs }: LimitReached['facts'],
  nowMs: number,
) {
  const isMoney = kind === 'credits';
  const isHourly = countsRequests(kind);
  const used = `${formatCount(limit - left)} of ${formatCount(limit)} ${isHourly ? 'requests' : 'tokens'} are used`;
  const state = isMoney
    ? `is not sufficient: ${formatUsd(left)} is left`
    : `${left > 0 ? 'is not sufficient' : 'is reached'}: ${used}`;
  const need = isHourly
    ? ''
    : `, and this request needs at least ${(isMoney ? formatUsd : formatCount)(amount)}`;
  const parts = [`${subjects[kind]} ${state}${need}.`];
  if (isHeldInFlight) parts.push('Requests in flight hold a part of it. Retry in one second.');
  else if (Number.isFinite(resetsAtMs))
    parts.push(
      `It resets at ${new Date(resetsAtMs).toISOString()} (in ${formatDuration(resetsAtMs - nowMs)}).`,
    );
  else parts.push('Ask your administrator to increase it.');
  return parts.join(' ');
}

const counts = new Intl.NumberFormat('en-US');
const formatCount = (count: number) => counts.format(Math.max(0, count));

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 9,
});
const formatUsd = (nanoUsd: number) => dollars.format(Math.max(0, nanoUsd) / 1e9);

/** Formats a wait in OpenAI's notation: `2h5m10s`, `1.5s`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.ceil(durationMs / 100) / 10);
  if (seconds < 60) return `${seconds}s`;
  const whole = Math.ceil(seconds);
  const hours = Math.floor(whole / 3600);
  return `${hours > 0 ? `${hours}h` : ''}${Math.floor((whole % 3600) / 60)}m${whole % 60}s`;
}
