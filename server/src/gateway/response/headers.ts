import type { ServerResponse } from 'node:http';
import { type AllowanceKind, countsRequests, isMoney } from '#domain/allowance/window.ts';
import type { Hold } from '../allowance/hold.ts';
import { formatDuration, type LimitFacts } from '../allowance/limit-error.ts';
import type { AnswerHead } from '../answer-head.ts';
import type { Charge, Received } from '../exchange.ts';
import type { CallerProtocol } from '../routes.ts';

interface LimitState {
  readonly kind: LimitFacts['kind'];
  readonly limit: number;
  readonly left: number;
  readonly resetsAtMs: number;
}

/** Sets the headers of the tightest request limit and the tightest token limit. */
export function setRateLimitHeaders(
  { head, route }: Pick<Received, 'head' | 'route'>,
  standings: readonly LimitState[],
  nowMs: number,
): void {
  if (standings.length === 0) return;
  const requests = findTightest(standings, isOfRequests);
  const tokens = findTightest(standings, isOfTokens);
  if (requests) setLimitHeaders(head, 'requests', requests, nowMs);
  if (tokens) setLimitHeaders(head, 'tokens', tokens, nowMs);
  if (route.protocol.id !== 'anthropic-messages') return;
  if (requests) setAnthropicLimitHeaders(head, 'requests', requests);
  if (tokens) setAnthropicLimitHeaders(head, 'tokens', tokens);
}

/** Omits credits and dollar budgets, which the rate limit headers do not cover. */
export function readLimitStates({ parts }: Hold): readonly LimitState[] {
  if (parts.every(hasNoLimit)) return noStates;
  return parts.flatMap(({ lease: { key, left, state, window } }) =>
    state?.limit == null || isMoney(key.kind)
      ? []
      : { kind: key.kind, limit: state.limit, left, resetsAtMs: window.endMs },
  );
}

const noStates: readonly never[] = [];

const hasNoLimit = ({ lease }: Hold['parts'][number]) => lease.state?.limit == null;

/** Returns the remaining amount of the tightest token limit after using `used` of a hold; `null` if unlimited. */
export function findRemainingTokens(hold: Hold, used: number): number | null {
  const limited = hold.parts.filter(({ lease }) => isOfTokens(lease.key) && !lease.isUnlimited);
  if (limited.length === 0) return null;
  return Math.min(...limited.map(({ lease, amount }) => lease.left + Math.max(0, amount - used)));
}

function isOfTokens({ kind }: Pick<LimitState, 'kind'>): boolean {
  return !countsRequests(kind) && !isMoney(kind);
}

function isOfRequests({ kind }: Pick<LimitState, 'kind'>): boolean {
  return countsRequests(kind) && kind !== 'parallel_requests';
}

function findTightest(
  standings: readonly LimitState[],
  isMeant: (standing: LimitState) => boolean,
): LimitState | null {
  let least: LimitState | null = null;
  for (const one of standings) if (isMeant(one) && (!least || one.left < least.left)) least = one;
  return least;
}

type Limited = 'requests' | 'tokens';

function setLimitHeaders(head: AnswerHead, what: Limited, standing: LimitState, nowMs: number): void {
  head.set(`x-ratelimit-limit-${what}`, String(standing.limit));
  head.set(`x-ratelimit-remaining-${what}`, String(Math.max(0, standing.left)));
  if (Number.isFinite(standing.resetsAtMs))
    head.set(`x-ratelimit-reset-${what}`, formatDuration(standing.resetsAtMs - nowMs));
}

function setAnthropicLimitHeaders(head: AnswerHead, what: Limited, standing: LimitState): void {
  head.set(`anthropic-ratelimit-${what}-limit`, String(standing.limit));
  head.set(`anthropic-ratelimit-${what}-remaining`, String(Math.max(0, standing.left)));
  if (Number.isFinite(standing.resetsAtMs))
    head.set(`anthropic-ratelimit-${what}-reset`, formatInstant(standing.resetsAtMs));
}

const secondMs = 1_000;

/** RFC 3339 without fractions, rounded up. */
const formatInstant = (epochMs: number): string =>
  new Date(Math.ceil(epochMs / secondMs) * secondMs).toISOString().replace('.000', '');

/**
 * Adds the cost of the request, if known before the response is sent. Paths without `/api` also get LiteLLM's header.
 */
export function setCostHeader(
  { costNanoUsd }: Charge,
  { head, isShort }: Pick<Received, 'head' | 'isShort'>,
): void {
  if (costNanoUsd === null) return;
  const cost = formatUsd(costNanoUsd);
  head.set('x-sluice-cost', cost);
  if (isShort) head.set('x-litellm-response-cost', cost);
}

function formatUsd(nanoUsd: string): string {
  const digits = nanoUsd.padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}

const exposedHeaders = [
  ...['x-request-id', 'request-id', 'retry-after', 'x-should-retry'],
  ...[
    'x-sluice-output-cap',
    'x-sluice-warning',
    'x-sluice-budget-route',
    'x-sluice-cost',
    'x-sluice-intent',
    'x-sluice-score',
    'x-litellm-response-cost',
  ],
  ...['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ...['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  ...['requests', 'tokens'].flatMap((what) =>
    ['limit', 'remaining', 'reset'].map((state) => `anthropic-ratelimit-${what}-${state}`),
  ),
].join(', ');

/**
 * Allows any web page that has a key to call the public API. Safe because the API uses no cookies that a browser
 * would add.
 */
export function setCorsHeaders(head: AnswerHead): void {
  head.set('access-control-allow-origin', '*');
  head.set('access-control-expose-headers', exposedHeaders);
}

export function answerPreflight(head: AnswerHead, response: ServerResponse): void {
  head.set('access-control-allow-methods', 'GET, POST');
  head.set('access-control-allow-headers', '*, authorization');
  head.set('access-control-max-age', '600');
  head.send(204, null);
  response.end();
}

export function setRequestIdHeader(head: AnswerHead, protocol: CallerProtocol, requestId: string): void {
  head.set('x-request-id', requestId);
  if (protocol.id === 'anthropic-messages') head.set('request-id', requestId);
}

/** Adds the output cap in tokens and the limit that caused it, if the response may be shorter than requested. */
export function setOutputCapHeader(
  head: AnswerHead,
  hold: Hold,
  outputCap: number | null,
  { ceiling }: { readonly ceiling: number },
): void {
  if (outputCap !== null && outputCap < ceiling)
    head.set('x-sluice-output-cap', `${outputCap}; limit=${findCuttingLimit(hold)}`);
}

/**
 * A limit with a remaining amount more than three times the request's share did not shorten the response, since a
 * shortened request takes at least a quarter of what is left.
 */
const restMax = 3;

function findCuttingLimit({ parts }: Hold): AllowanceKind {
  const limited = parts.filter(({ lease }) => !countsRequests(lease.key.kind) && !lease.isUnlimited);
  const ofTokens = limited.filter(({ lease }) => !isMoney(lease.key.kind));
  const [tightestOfMoney] = limited
    .filter(({ lease }) => isMoney(lease.key.kind))
    .toSorted((one, other) => one.lease.left / one.amount - other.lease.left / other.amount);
  const [tightest] = ofTokens.toSorted((one, other) => one.lease.left - other.lease.left);
  const isCut =
    tightest && (ofTokens.length === limited.length || tightest.lease.left <= restMax * tightest.amount);
  return isCut ? tightest.lease.key.kind : (tightestOfMoney?.lease.key.kind ?? 'credits');
}
