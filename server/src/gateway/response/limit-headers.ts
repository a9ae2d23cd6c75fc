import type { Hold } from '../allowance/hold.ts';
import { formatDuration } from '../allowance/limit-error.ts';
import type { LimitFacts } from '../allowance/limit-reached.ts';
import type { AnswerHead } from './answer-head.ts';

interface LimitState {
  readonly kind: LimitFacts['kind'];
  readonly limit: number | null;
  readonly left: number;
  readonly resetsAtMs: number;
}

/** Adds the state of the limits used by the request; of several token limits, the tightest. */
export function setRateLimitHeaders(head: AnswerHead, standings: readonly LimitState[], nowMs: number): void {
  const limited = standings.filter(({ limit }) => limit !== null);
  setLimitHeaders(
    head,
    'requests',
    findTightest(limited.filter(({ kind }) => kind === 'requests_per_hour')),
    nowMs,
  );
  setLimitHeaders(head, 'tokens', findTightest(limited.filter(isOfTokens)), nowMs);
}

export function readLimitStates({ parts }: Hold): LimitState[] {
  return parts.map(({ lease }) => ({
    kind: lease.key.kind,
    limit: lease.state?.limit ?? null,
    left: lease.left,
    resetsAtMs: lease.window.endMs,
  }));
}

/** Returns what is left of the tightest token limit after using `used` of a hold, `null` if unlimited. */
export function findRemainingTokens(hold: Hold, used: number): number | null {
  const limited = hold.parts.filter(({ lease }) => isOfTokens(lease.key) && !lease.isUnlimited);
  if (limited.length === 0) return null;
  return Math.min(...limited.map(({ lease, amount }) => lease.left + Math.max(0, amount - used)));
}

function isOfTokens({ kind }: Pick<LimitState, 'kind'>): boolean {
  return kind === 'tokens_per_day' || kind === 'tokens_per_month' || kind === 'task_tokens';
}

function findTightest(standings: readonly LimitState[]): LimitState | null {
  return standings.reduce<LimitState | null>(
    (least, one) => (least && least.left <= one.left ? least : one),
    null,
  );
}

function setLimitHeaders(head: AnswerHead, what: string, standing: LimitState | null, nowMs: number): void {
  if (!standing) return;
  head.set(`x-ratelimit-limit-${what}`, String(standing.limit));
  head.set(`x-ratelimit-remaining-${what}`, String(Math.max(0, standing.left)));
  if (Number.isFinite(standing.resetsAtMs))
    head.set(`x-ratelimit-reset-${what}`, formatDuration(standing.resetsAtMs - nowMs));
}
