import type { analyticsRoutes, logsRoutes } from '@sluice/contract';
import { wordOf } from '../../../server/demo/vocabulary.ts';
import type { createTestConsole } from '../../../server/test/console/console.ts';
import { median, percentile } from '../report/statistics.ts';

type Query = readonly [name: string, query: Record<string, unknown>];

const lists: readonly Query[] = [
  ['no filter', {}],
  ['status:error', { status: 'error' }],
  ['status:refused', { status: 'refused' }],
  ['code', { error_code: 'model_blacklisted' }],
  ['model', { model: 'gpt-4o' }],
  ['model:gpt*', { model: 'gpt*' }],
  ['model, none has it', { model: 'no-such-model' }],
  ['provider', { provider_key: 'deepseek' }],
  ['intent', { intent_classification: 'off_topic' }],
  ['person', { user: 'Uli Castro' }],
  ['task', { task: 'handbook' }],
  ['cost above a tenth of a dollar', { cost_above: 0.1 }],
  ['more than 4000 tokens', { tokens_above: 4000 }],
  ['longer than 9 s', { response_time_above_ms: 9000 }],
];

const searches: readonly Query[] = [
  ['search: a rare word', { search: wordOf(50_000) }],
  ['search: a very rare word', { search: wordOf(250_000) }],
  ['search: frequent words', { search: 'semaphore needs a webhook' }],
  ['search: in nothing', { search: 'zebrafinch' }],
  ['search: in nearly all', { search: 'needs a' }],
  ['search: a person', { search: 'ada abel' }],
  ['search: a reason', { search: 'upstream_timeout' }],
  ['search: in errors alone', { search: 'parser', status: 'error' }],
  ['search: end of an id', { search: '0123abcd' }],
];

type Client<Routes extends Parameters<typeof createTestConsole>[1]> = ReturnType<
  ReturnType<typeof createTestConsole<Routes>>
>;
type Logs = Client<typeof logsRoutes>;
type Analytics = Client<typeof analyticsRoutes>;

type NamedCall = readonly [name: string, call: () => Promise<unknown>];

export const listCalls = (logs: Logs): NamedCall[] => ask(logs, lists);
export const searchCalls = (logs: Logs): NamedCall[] => ask(logs, searches);

const ask = (logs: Logs, queries: readonly Query[]): NamedCall[] =>
  queries.map(([name, query]) => [name, () => logs.listLogs({ query })] as const);

export function analyticsCalls(analytics: Analytics, rangeDays: number): NamedCall[] {
  const query = { days: Math.min(rangeDays, 90) };
  const calls: NamedCall[] = [
    ['usage', () => analytics.getUsageFigures({ query })],
    ['daily usage', () => analytics.listDailyUsage({ query })],
    ['top users', () => analytics.listTopUsers({ query })],
    ['top models', () => analytics.listTopModels({ query })],
    ['top keys', () => analytics.listTopApiKeys({ query })],
    ['spend by provider', () => analytics.listSpendByProvider({ query })],
  ];
  return [
    ...calls,
    [allAtOnce, () => Promise.all(calls.map(([, call]) => call()))],
    ['today', () => analytics.getToday()],
  ];
}

export const allAtOnce = 'all six at once';

export interface Timing {
  readonly name: string;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Number of runs. Lower than requested if the time limit was reached. */
  readonly runs: number;
}

/** Time in milliseconds after which a call is not repeated. */
const spentMaxMs = 15_000;

export async function timeCalls(
  calls: readonly NamedCall[],
  repeats: number,
  prepare: () => Promise<void>,
): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const [name, call] of calls) {
    const times = await timeCall(call, repeats, prepare);
    timings.push({ name, medianMs: median(times), p95Ms: percentile(times, 0.95), runs: times.length });
  }
  return timings;
}

async function timeCall(
  call: () => Promise<unknown>,
  repeats: number,
  prepare: () => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  let spentMs = 0;
  for (let turn = 0; turn <= repeats && (spentMs < spentMaxMs || turn < 2); turn++) {
    await prepare();
    const beganAtMs = performance.now();
    await call().catch(failUnlessTimeout);
    const ms = performance.now() - beganAtMs;
    spentMs += ms;
    // The first run is a warm-up.
    if (turn > 0) times.push(ms);
  }
  return times;
}

/** Ignores timeouts. A query that reaches its time limit counts with the elapsed time. */
function failUnlessTimeout(error: unknown): void {
  if (!(error instanceof Error) || !/took too long/.test(error.message)) throw error;
}
