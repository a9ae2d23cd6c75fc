import { afterAll, describe, expect, it } from 'vitest';
import { createAttemptStage } from '#test/console/attempt-stage.ts';
import { answerWith, type Script, startScriptedProvider } from '#test/providers/scripted-provider.ts';

const providers = new AsyncDisposableStack();
afterAll(() => providers.disposeAsync());

const fine = answerWith(200, '{}');
const failing = (status: number, code?: string) =>
  answerWith(status, JSON.stringify({ error: { message: 'no', code } }));
const raw =
  (bytes: string): Script =>
  (response) =>
    response.socket?.end(bytes);
const silent: Script = () => undefined;
const leaves = 'the caller leaves';

/** Outcomes of a call, and whether the same outcome for several users indicates a failing provider. */
const outcomes: [name: string, script: Script | typeof leaves, isProvidersFault: boolean][] = [
  ...[500, 502, 503, 504, 520, 529].map((status): (typeof outcomes)[number] => [
    `status ${status}`,
    failing(status),
    true,
  ]),
  ['a closed connection', (response) => response.destroy(), true],
  ['bytes that are not HTTP', raw('nonsense\r\n\r\n'), true],
  ['a redirect', answerWith(302, '', { location: 'http://127.0.0.1:1/' }), true],
  ['compression that was not requested', answerWith(200, 'x', { 'content-encoding': 'zstd' }), true],
  ['silence until the timeout', silent, true],
  ['a head without a body', (response) => response.writeHead(200).flushHeaders() ?? response.destroy(), true],
  ...[400, 401, 402, 403, 404, 405, 408, 409, 411, 413, 414, 415, 422, 425, 429, 431, 451, 501, 505].map(
    (status): (typeof outcomes)[number] => [`status ${status}`, failing(status), false],
  ),
  ...[
    'content_filter',
    'context_length_exceeded',
    'INVALID_ARGUMENT',
    'invalid_api_key',
    'invalid_request_error',
    'insufficient_quota',
    'request_too_large',
    'unsupported_parameter',
  ].map((code): (typeof outcomes)[number] => [`status 500 with ${code}`, failing(500, code), false]),
  [leaves, leaves, false],
];

const limitMs = 40;
const limits = { connectMs: 2_000, firstByteMs: limitMs, idleMs: limitMs, totalMs: 5_000 };

async function startScene(outcome: Script | typeof leaves) {
  let leaving = new AbortController();
  let script: Script = outcome === leaves ? () => leaving.abort() : outcome;
  const provider = await startScriptedProvider((...given) => script(...given));
  providers.defer(() => provider.close());
  const timeouts = outcome === silent ? { streaming: limits, nonStreaming: limits } : {};
  const stage = createAttemptStage({ retriesMax: 0, ...timeouts });
  return {
    provider,
    recover() {
      script = fine;
    },
    async ask(userId: number, origins = [provider.origin]) {
      leaving = new AbortController();
      const { calls, result } = stage.run(origins, { userId, abort: leaving.signal });
      const isAnswered = await result.then(
        () => true,
        () => false,
      );
      return { isAnswered, count: calls.count };
    },
  };
}

describe.concurrent.each(outcomes)('circuits with %s', (_name, outcome, isProvidersFault) => {
  it('failures of one user block the model for no other user', async () => {
    const { ask, recover } = await startScene(outcome);
    for (let count = 0; count < 30; count++) await ask(1);
    recover();
    expect(await ask(2)).toEqual({ isAnswered: true, count: 1 });
  });

  it(`failures of three users ${isProvidersFault ? 'open the circuit' : 'open no circuit'}`, async () => {
    const { ask, recover } = await startScene(outcome);
    for (let count = 0; count < 30; count++) await ask(count % 3);
    recover();
    expect((await ask(4)).isAnswered).toBe(!isProvidersFault);
  });
});

it('a user whose requests keep failing gets the fallback without more than ten calls to the failing provider', async () => {
  const { ask, provider } = await startScene(failing(500));
  const other = await startScriptedProvider(fine);
  providers.defer(() => other.close());
  for (let count = 0; count < 15; count++) {
    expect((await ask(1, [provider.origin, other.origin])).isAnswered).toBe(true);
  }
  expect([provider.calls.length, other.calls.length]).toEqual([10, 15]);
});
