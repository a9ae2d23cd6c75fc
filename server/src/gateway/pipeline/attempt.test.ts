import { afterAll, describe, expect, it } from 'vitest';
import { GatewayError } from '#errors/gateway-error.ts';
import { gemini } from '#protocols/gemini/index.ts';
import { createAttemptStage } from '#test/console/attempt-stage.ts';
import { answerWith, type Script, startScriptedProvider } from '#test/providers/scripted-provider.ts';
import { listenRaw } from '#upstream/testing/raw-server.ts';

const fine = answerWith(200, '{}');
const failing = (status: number, headers: Record<string, string> = {}, error: object = { message: 'no' }) =>
  answerWith(status, JSON.stringify({ error }), { 'content-type': 'application/json', ...headers });

const providers = new AsyncDisposableStack();
afterAll(() => providers.disposeAsync());

async function provide(...scripts: Script[]) {
  const calledAtMs: number[] = [];
  const provider = await startScriptedProvider((response, call) => {
    const script = scripts[Math.min(calledAtMs.length, scripts.length - 1)];
    calledAtMs.push(performance.now());
    script?.(response, call);
  });
  providers.defer(() => provider.close());
  return { origin: provider.origin, calledAtMs };
}

const failureOf = async (result: Promise<unknown>): Promise<GatewayError> => {
  const error: unknown = await result.catch((reason: unknown) => reason);
  if (error instanceof GatewayError) return error;
  throw new Error('this should have been refused', { cause: error });
};

describe.concurrent('attempt retries a transient failure at the same instance', () => {
  const resets: Script = (response) => response.destroy();
  it.each<[name: string, script: Script]>([
    ['408', failing(408)],
    ['409', failing(409)],
    ['429', failing(429)],
    ['500', failing(500)],
    ['502 with a page', answerWith(502, '<html>', { 'content-type': 'text/html' })],
    ['503', failing(503)],
    ['504', failing(504)],
    ['529', failing(529)],
    ['a refusal that asks to be retried', failing(400, { 'x-should-retry': 'true' })],
    ['a closed connection', resets],
    [
      'a response that ends after its head',
      (response) => response.writeHead(200).flushHeaders() ?? response.destroy(),
    ],
  ])('attempt succeeds at the second or third try after %s', async (_, script) => {
    const [once, twice] = await Promise.all([provide(script, fine), provide(script, script, fine)]);
    for (const isStream of [false, true]) {
      for (const { origin, calledAtMs } of [once, twice]) {
        calledAtMs.length = 0;
        const { calls, result } = createAttemptStage().run([origin], { isStream });
        expect((await result).upstream.status).toBe(200);
        expect(calls.count).toBe(calledAtMs.length);
        expect(calledAtMs).toHaveLength(origin === once.origin ? 2 : 3);
      }
    }
  });

  it('attempt gives up after three calls', async () => {
    const { origin, calledAtMs } = await provide(failing(500));
    expect(await failureOf(createAttemptStage().run([origin]).result)).toMatchObject({ status: 502 });
    expect(calledAtMs).toHaveLength(3);
  });
});

describe.concurrent('attempt without retries', () => {
  it.each<[name: string, script: Script, status: number, code: string]>([
    ['400', failing(400), 400, 'provider_rejected'],
    ['401', failing(401), 502, 'provider_auth_failed'],
    ['402', failing(402), 502, 'provider_out_of_credit'],
    ['403', failing(403), 502, 'provider_auth_failed'],
    ['404', failing(404), 404, 'provider_rejected'],
    ['422', failing(422), 422, 'provider_rejected'],
    ['501', failing(501), 502, 'upstream_error'],
    [
      'a refusal that asks not to be retried',
      failing(500, { 'x-should-retry': 'false' }),
      502,
      'upstream_error',
    ],
    [
      'a quota that is used up',
      failing(429, {}, { message: 'no', code: 'insufficient_quota' }),
      502,
      'provider_out_of_credit',
    ],
    [
      'a 400 about an invalid key',
      failing(400, {}, { message: 'Incorrect API key provided: x' }),
      502,
      'provider_auth_failed',
    ],
    [
      'a 400 about a request that is too long',
      failing(400, {}, { message: 'no', code: 'context_length_exceeded' }),
      400,
      'provider_rejected',
    ],
    ['a wait of more than five seconds', failing(429, { 'retry-after': '6' }), 429, 'rate_limited'],
    ['a redirect', answerWith(302, '', { location: 'http://127.0.0.1/' }), 502, 'upstream_invalid_response'],
    ['silence', () => undefined, 504, 'upstream_timeout'],
  ])('attempt does not retry after %s', async (_, script, status, code) => {
    const quick = { connectMs: 1_000, firstByteMs: 500, idleMs: 500, totalMs: 10_000 };
    const stage = createAttemptStage({ streaming: quick, nonStreaming: quick });
    const { origin, calledAtMs } = await provide(script);
    expect(await failureOf(stage.run([origin]).result)).toMatchObject({ status, code });
    expect(calledAtMs).toHaveLength(1);
  });

  it('attempt does not retry after the first byte', async () => {
    const { origin, calledAtMs } = await provide((response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('{', () => response.destroy());
    });
    await createAttemptStage().run([origin]).result;
    expect(calledAtMs).toHaveLength(1);
  });

  it('attempt does not retry once the caller has disconnected, even during the wait', async () => {
    const leaving = new AbortController();
    const refused = Promise.withResolvers<void>();
    const { origin, calledAtMs } = await provide((...given) => {
      failing(503, { 'retry-after': '4' })(...given);
      given[0].on('close', refused.resolve);
    });
    const { result } = createAttemptStage().run([origin], { abort: leaving.signal });
    await refused.promise;
    const leftAtMs = performance.now();
    leaving.abort();
    await failureOf(result);
    expect(performance.now() - leftAtMs).toBeLessThan(2_000);
    expect(calledAtMs).toHaveLength(1);
  });

  it('attempt does not retry if the request would run out of time', async () => {
    const hurried = { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 2_000 };
    const { origin, calledAtMs } = await provide(failing(503, { 'retry-after': '3' }));
    await failureOf(createAttemptStage({ nonStreaming: hurried }).run([origin]).result);
    expect(calledAtMs).toHaveLength(1);
  });
});

describe.concurrent('attempt waits as long as the provider requests', () => {
  const inTwoSeconds = () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 2_000).toUTCString();
  it.each<[name: string, headers: () => Record<string, string>, waitMinMs: number]>([
    ['in seconds', () => ({ 'retry-after': '1' }), 1_000],
    ['in milliseconds', () => ({ 'retry-after': '9', 'retry-after-ms': '1200' }), 1_200],
    ['as a date', () => ({ 'retry-after': inTwoSeconds() }), 1_500],
  ])('attempt waits as long as the provider requests %s', async (_, headers, waitMinMs) => {
    const { origin, calledAtMs } = await provide((...given) => failing(429, headers())(...given), fine);
    await createAttemptStage().run([origin]).result;
    const [first = 0, second = 0] = calledAtMs;
    expect(second - first).toBeGreaterThanOrEqual(waitMinMs);
  });
});

it('attempt records no call if nothing was sent because the caller had disconnected', async () => {
  const { origin, calledAtMs } = await provide(fine);
  const { calls, result } = createAttemptStage().run([origin], { abort: AbortSignal.abort() });
  await failureOf(result);
  expect([calls.count, calls.isSent, calledAtMs.length]).toEqual([0, false, 0]);
});

it('attempt waits as long as the error body requests without a Retry-After header', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.9s' }];
  const { origin, calledAtMs } = await provide(
    failing(429, {}, { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED', details }),
    fine,
  );
  await createAttemptStage().run([origin], { protocol: gemini }).result;
  const [first = 0, second = 0] = calledAtMs;
  expect(second - first).toBeGreaterThanOrEqual(900);
});

it('attempt returns 504 on a connect timeout, and tries the next instance if there is one', async () => {
  const mute = await listenRaw();
  providers.defer(() => mute.close());
  const well = await provide(fine);
  const hurried = { connectMs: 500, firstByteMs: 5_000, idleMs: 5_000, totalMs: 20_000 };
  const stage = createAttemptStage({ nonStreaming: hurried });
  // The server accepts the connection but never responds to the TLS handshake.
  const unreachable = `https://127.0.0.1:${mute.port}`;
  const { calls, result } = stage.run([unreachable]);
  expect(await failureOf(result)).toMatchObject({ status: 504, code: 'upstream_timeout' });
  expect(calls.count).toBe(1);
  expect((await stage.run([unreachable, well.origin]).result).upstream.status).toBe(200);
});

describe.concurrent('attempt with a second instance', () => {
  it('attempt calls the next instance after the retries of the first', async () => {
    const [sick, well] = await Promise.all([provide(failing(500)), provide(fine)]);
    const { calls, result } = createAttemptStage().run([sick.origin, well.origin]);
    expect((await result).attempt.instance.name).toBe('instance 2');
    expect([sick.calledAtMs.length, well.calledAtMs.length, calls.count]).toEqual([3, 1, 4]);
  });

  it.each([
    ['the first requests a wait of two seconds', failing(429, { 'retry-after': '2' })],
    ['the first has no credit', failing(429, {}, { message: 'no', type: 'insufficient_quota' })],
    ['the first rejects the key', failing(401)],
    [
      "the request is too long for the first's model",
      failing(400, {}, { message: 'maximum context length is 8' }),
    ],
  ])('attempt calls the next instance without a retry when %s', async (_, script) => {
    const [first, second] = await Promise.all([provide(script), provide(fine)]);
    expect((await createAttemptStage().run([first.origin, second.origin]).result).upstream.status).toBe(200);
    expect(first.calledAtMs).toHaveLength(1);
  });

  it('attempt does not call the next instance if the first rejects the request itself', async () => {
    const [first, second] = await Promise.all([provide(failing(400)), provide(fine)]);
    const error = await failureOf(createAttemptStage().run([first.origin, second.origin]).result);
    expect(error.status).toBe(400);
    expect(second.calledAtMs).toEqual([]);
  });

  it("attempt returns the first instance's 429 even if the second fails differently", async () => {
    const [first, second] = await Promise.all([
      provide(failing(429, { 'retry-after': '40' })),
      provide(failing(401)),
    ]);
    const error = await failureOf(createAttemptStage().run([first.origin, second.origin]).result);
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 40_000 });
  });
});

describe.concurrent('attempt at an instance that keeps failing', () => {
  const once = { retriesMax: 0 };

  it('attempt skips a failing instance for the next one', async () => {
    const [sick, well] = await Promise.all([provide(failing(500)), provide(fine)]);
    const stage = createAttemptStage(once);
    for (let count = 0; count < 15; count++) await stage.run([sick.origin, well.origin]).result;
    expect([sick.calledAtMs.length, well.calledAtMs.length]).toEqual([10, 15]);
  });

  it('attempt does not call a failing instance without alternatives and returns when to retry', async () => {
    const { origin, calledAtMs } = await provide(failing(500));
    const stage = createAttemptStage(once);
    for (let count = 0; count < 10; count++) await failureOf(stage.run([origin]).result);
    const { calls, result } = stage.run([origin]);
    const error = await failureOf(result);
    expect(error).toMatchObject({ status: 502, code: 'upstream_unavailable' });
    expect(error.retryAfterMs).toBeGreaterThan(0);
    expect(error.retryAfterMs).toBeLessThanOrEqual(5_000);
    expect(calls).toMatchObject({ count: 0, target: { instance: { name: 'instance 1' }, model: 'm' } });
    expect(calledAtMs).toHaveLength(10);
  });

  it('attempt returns the end of the cooldown, not of a shorter maintenance of another instance', async () => {
    const { origin } = await provide(failing(500));
    const stage = createAttemptStage(once);
    for (let count = 0; count < 10; count++) await failureOf(stage.run([origin]).result);
    const soon = { untilMs: Date.now() + 500, reason: null };
    const error = await failureOf(stage.run([origin, origin], { maintenance: [null, soon] }).result);
    expect(error.code).toBe('upstream_unavailable');
    expect(error.retryAfterMs).toBeGreaterThan(1_000);
  });

  it('attempt probes a failing instance once after its cooldown and resumes when the probe succeeds', async () => {
    const time = { ms: 0 };
    const held = Promise.withResolvers<void>();
    const probed = Promise.withResolvers<void>();
    const { origin, calledAtMs } = await provide(
      ...Array.from({ length: 10 }, () => failing(500)),
      (...given) => {
        probed.resolve();
        void held.promise.then(() => fine(...given));
      },
      fine,
    );
    const stage = createAttemptStage(once, () => time.ms);
    for (let count = 0; count < 10; count++) await failureOf(stage.run([origin]).result);
    time.ms = 5_000;
    const probe = stage.run([origin]).result;
    await probed.promise;
    expect(await failureOf(stage.run([origin]).result)).toMatchObject({
      code: 'upstream_unavailable',
      retryAfterMs: 1_000,
    });
    held.resolve();
    await probe;
    for (let count = 0; count < 5; count++) await stage.run([origin]).result;
    expect(calledAtMs).toHaveLength(16);
  });

  it('attempt stops retrying when the circuit opens', async () => {
    const { origin, calledAtMs } = await provide(failing(500));
    const stage = createAttemptStage();
    const codes: string[] = [];
    for (let count = 0; count < 4; count++) codes.push((await failureOf(stage.run([origin]).result)).code);
    expect(codes).toEqual(['upstream_error', 'upstream_error', 'upstream_error', 'upstream_unavailable']);
    expect(calledAtMs).toHaveLength(10);
  });

  it.each([400, 401, 402, 403, 404, 408, 409, 413, 422, 429])(
    'attempt keeps calling an instance that returns %i',
    async (status) => {
      const { origin, calledAtMs } = await provide(failing(status));
      const stage = createAttemptStage(once);
      for (let count = 0; count < 20; count++) await failureOf(stage.run([origin]).result);
      expect(calledAtMs).toHaveLength(20);
    },
  );

  it('attempt keeps calling an instance whose callers disconnect', async () => {
    let leaving = new AbortController();
    const { origin, calledAtMs } = await provide(() => leaving.abort());
    const stage = createAttemptStage(once);
    for (let count = 0; count < 20; count++) {
      leaving = new AbortController();
      await failureOf(stage.run([origin], { abort: leaving.signal }).result);
    }
    expect(calledAtMs).toHaveLength(20);
  });
});
