import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { foldsRepeats } from './fold-repeats.ts';
import { createLogger } from './logger.ts';

const everyMs = 60_000;
let lines: Record<string, unknown>[];
let log: ReturnType<typeof createLogger>;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }, { everyMs });
});
afterEach(() => vi.useRealTimers());

const outages = ['ECONNREFUSED', '57P01', 'ECONNRESET'].map((code) =>
  Object.assign(new Error(`connection failed: ${code}`), { code }),
);
const repeated: readonly (readonly [
  level: 'warn' | 'error',
  fields: (round: number) => object,
  message: string,
])[] = [
  ['warn', (round) => ({ error: outages[round % 3] }), 'could not poll for changes'],
  ['warn', () => ({ error: outages[0], job: 'send-alerts', retrySeconds: 10 }), 'a job failed'],
  ['warn', (round) => ({ mailId: round, attempt: round, error: outages[1] }), 'an email could not be sent'],
  ['warn', () => ({ alert: 'a', status: 500 }), 'the alert webhook did not accept an alert'],
  ['warn', (round) => ({ reason: 'refused', dropped: round }), 'spans are dropped'],
  ['warn', (round) => ({ target: '3/m', failuresInRow: round }), 'a provider keeps failing'],
  ['error', (round) => ({ requestId: `r${round}`, error: outages[2] }), 'a console request failed'],
  ['error', () => ({}), 'a plain text'],
];

it.each(repeated)(
  '%s lines that repeat for 20 s are folded into one line and one with the count (%#)',
  (level, fields, message) => {
    for (let round = 0; round < 40; round++) {
      log[level](fields(round), message);
      vi.advanceTimersByTime(500);
    }
    expect(lines).toMatchObject([{ level, msg: message }]);
    vi.advanceTimersByTime(everyMs);
    expect(lines).toMatchObject([{ msg: message }, { level, msg: message, repeats: 39 }]);
    vi.advanceTimersByTime(10 * everyMs);
    expect(lines).toHaveLength(2);
  },
);

it('a line that repeats for ten intervals is logged at most twice per interval', () => {
  for (let second = 0; second < 600; second++) {
    log.warn('a provider is slow');
    vi.advanceTimersByTime(1_000);
  }
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThanOrEqual(20);
});

it('a folded line lists the ids of its requests, up to 20', () => {
  for (let round = 0; round < 100; round++) log.error({ requestId: `r${round}` }, 'a request failed');
  vi.advanceTimersByTime(everyMs);
  expect(lines[1]).toMatchObject({
    repeats: 99,
    requestIds: Array.from({ length: 20 }, (_, i) => `r${i + 1}`),
  });
});

it.each([
  ['another job', { job: 'a' }, { job: 'b' }],
  ['another instance', { instanceId: 1 }, { instanceId: 2 }],
  ['another error', { error: new Error('one') }, { error: new Error('two') }],
])('a line about %s is not folded into the first one', (_, one, other) => {
  log.warn(one, 'it failed');
  log.warn(other, 'it failed');
  expect(lines).toHaveLength(2);
});

it('info lines are folded only if they are marked', () => {
  for (let round = 0; round < 3; round++)
    log.info({ requestId: `r${round}`, [foldsRepeats]: true }, 'refused');
  vi.advanceTimersByTime(everyMs);
  expect(lines).toMatchObject([
    { level: 'info', msg: 'refused', requestId: 'r0' },
    { level: 'info', msg: 'refused', repeats: 2, requestIds: ['r1', 'r2'] },
  ]);
  lines.length = 0;

  for (let round = 0; round < 3; round++) log.info('a request');
  expect(lines).toHaveLength(3);
});

it('the logger omits the stack of an outage, but not of other errors', () => {
  log.warn({ error: new Error('Failed query', { cause: outages[0] }) }, 'away');
  log.warn({ error: new Error('a bug') }, 'broken');
  expect(lines).toMatchObject([
    { error: { message: 'connection failed: ECONNREFUSED', code: 'ECONNREFUSED' } },
    { error: { message: 'a bug', stack: expect.stringContaining('fold-repeats.test') } },
  ]);
  expect(lines[0]?.error).not.toHaveProperty('stack');
});

it('createRepeats limits a flood of different lines, and still distinguishes lines of another message', () => {
  for (let round = 0; round < 5_000; round++) log.warn({ place: `p${round}` }, 'strange');
  expect(lines.length).toBeLessThanOrEqual(201);
  for (const job of ['a', 'b']) log.warn({ job }, 'a job failed');
  expect(lines.slice(-2)).toMatchObject([{ job: 'a' }, { job: 'b' }]);
  vi.advanceTimersByTime(everyMs);
  expect(lines.at(-1)).toMatchObject({ repeats: expect.any(Number) });
  lines.length = 0;
  for (let round = 0; round < 150; round++) log.warn({ place: `q${round}` }, 'strange');
  expect(lines).toHaveLength(150);
});

it('createRepeats logs at most 1,050 of 5,000 different lines with 50 messages', () => {
  for (let round = 0; round < 5_000; round++) log.warn({ place: round }, `strange ${round % 50}`);
  expect(lines.length).toBeLessThanOrEqual(1_050);
});
