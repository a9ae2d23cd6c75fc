import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { closedPort } from '#test/processes/free-port.ts';
import { readError, type WireError } from '#test/requests/answers.ts';
import type { RequestRow } from '#test/requests/request-rows.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    timeouts: {
      streaming: { connectMs: 2_000, firstByteMs: 2_000, idleMs: 2_000, totalMs: 60_000 },
      nonStreaming: { connectMs: 2_000, firstByteMs: 2_000, idleMs: 2_000, totalMs: 60_000 },
      retriesMax: 0,
    },
    async seed(seed) {
      await seed.addInstance({
        name: 'lab',
        models: ['sandbox-normal:first_byte_ms=60000', 'sandbox-normal:cached_tokens=1'],
      });
      await seed.addInstance({
        name: 'closed',
        models: ['closed-port'],
        endpoint: `http://127.0.0.1:${closedPort}/v1`,
      });
      await seed.addInstance({
        name: 'nowhere',
        models: ['no-name'],
        endpoint: 'http://provider.invalid/v1',
      });
    },
  });
});
afterAll(() => gateway.stop());

interface Outcome {
  status: number;
  headers: Headers;
  tokens: number;
  isClosed: boolean;
  error: WireError;
  row: RequestRow;
}

const call = async (model: string, stream: boolean): Promise<Outcome> => {
  const answer = await gateway.complete({ model, stream });
  const { status, headers } = answer;
  const text = status === 200 ? await answer.text() : '';
  const events = text.split('\n\n').filter((event) => event !== '');
  const error: WireError =
    status === 200 ? JSON.parse(events.at(-1)?.slice('data: '.length) ?? '').error : await readError(answer);
  const row = await gateway.waitForRow(headers.get('x-request-id') ?? '');
  const tokens = events.filter((event) => /"delta":\{"content":"[^"]/.test(event)).length;
  return { status, headers, tokens, isClosed: text.includes('[DONE]'), error, row };
};

const billedFor = ({ row }: Outcome) =>
  gateway.sandbox.journal.waitFor(({ requestId }) => requestId === row.id);

describe.concurrent('provider failure before the first byte', () => {
  it.each<[model: string, status: number, code: string, rowCode: string]>([
    ['sandbox-rate-limited', 429, 'rate_limit_exceeded', 'rate_limited'],
    ['sandbox-error-500', 502, 'upstream_error', 'upstream_error'],
    ['sandbox-overloaded', 502, 'server_is_overloaded', 'upstream_overloaded'],
    ['sandbox-refuse-key', 502, 'provider_auth_failed', 'provider_auth_failed'],
    ['closed-port', 502, 'upstream_error', 'upstream_error'],
    ['no-name', 502, 'upstream_error', 'upstream_error'],
    ['sandbox-normal:first_byte_ms=60000', 504, 'upstream_timeout', 'upstream_timeout'],
  ])(
    '%s returns its error status before the first byte, with a row and no charge, streaming or not',
    async (model, status, code, rowCode) => {
      for (const outcome of await Promise.all([call(model, false), call(model, true)])) {
        expect(outcome).toMatchObject({ status, error: { code, param: null } });
        expect(outcome.row).toMatchObject({
          status: 'error',
          http_status: status,
          error_code: rowCode,
          error_message: outcome.error.message,
          model,
          attempts: 1,
          prompt_tokens: 0,
          completion_tokens: 0,
          response: null,
        });
      }
    },
  );

  it('a provider that fails before the first byte passes its retry delay on', async () => {
    const { headers } = await call('sandbox-rate-limited', true);
    expect([headers.get('retry-after'), headers.get('x-should-retry')]).toEqual(['7', null]);
  });
});

describe.concurrent('provider failure in a whole response', () => {
  it.each([
    ['sandbox-garbage', 502, 'upstream_invalid_response'],
    ['sandbox-truncated', 502, 'upstream_invalid_response'],
    ['sandbox-reset', 502, 'upstream_error'],
    ['sandbox-stall', 504, 'upstream_timeout'],
  ])('a whole response of %s is an error without a charge', async (model, status, code) => {
    const outcome = await call(model, false);
    expect(outcome).toMatchObject({ status, error: { type: 'server_error', code } });
    expect(outcome.row).toMatchObject({
      status: 'error',
      http_status: status,
      error_code: code,
      attempts: 1,
    });
    expect([outcome.row.completion_tokens, (await billedFor(outcome)).completionTokens]).toEqual([0, 0]);
  });
});

describe.concurrent('provider failure mid-stream', () => {
  it.each([
    ['sandbox-garbage', 'upstream_error', 0],
    ['sandbox-truncated', 'upstream_error', 4],
    ['sandbox-reset', 'upstream_error', 4],
    ['sandbox-stall', 'upstream_timeout', 4],
  ])(
    'a stream of %s ends with an error, without [DONE], and is charged for its output, if any',
    async (model, code, tokens) => {
      const outcome = await call(model, true);
      expect(outcome).toMatchObject({
        status: 200,
        tokens,
        isClosed: false,
        error: { type: 'server_error', code },
      });
      const { completionTokens, outcome: ending } = await billedFor(outcome);
      expect(outcome.row).toMatchObject({
        status: 'error',
        http_status: 200,
        error_code: code,
        error_message: outcome.error.message,
        usage_source: tokens === 0 ? 'none' : 'partial',
      });
      // The token count is estimated from the text, so it differs from the provider's.
      expect(outcome.row.completion_tokens).toBeGreaterThanOrEqual(tokens / 2);
      expect(outcome.row.completion_tokens).toBeLessThanOrEqual(tokens * 2);
      expect(completionTokens).toBe(tokens);
      expect(ending).not.toBe('completed');
    },
  );
});

describe.concurrent('provider without reported usage', () => {
  it.each([
    [false, 'estimated'],
    [true, 'partial'],
  ])(
    'a provider without reported usage succeeds and the received output is counted (streaming: %s)',
    async (stream, source) => {
      const answer = await gateway.complete({ model: 'sandbox-no-usage', stream });
      const text = await answer.text();
      expect(text).not.toContain('"error"');
      const row = await gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
      const billed = await gateway.sandbox.journal.waitFor(({ requestId }) => requestId === row.id);
      expect(row).toMatchObject({ status: 'success', usage_source: source });
      expect(row.completion_tokens / billed.completionTokens).toBeGreaterThan(0.5);
      expect(row.completion_tokens / billed.completionTokens).toBeLessThan(2);
      expect(row.prompt_tokens).toBeGreaterThan(0);
    },
  );
});

it('a working provider is charged as billed, streaming or not, with separate cached and reasoning tokens', async () => {
  const models = ['sandbox-normal', 'sandbox-reasoning', 'sandbox-huge', 'sandbox-normal:cached_tokens=1'];
  const cases = models.flatMap((model) => [false, true].map((stream) => ({ model, stream })));
  await Promise.all(
    cases.map(async ({ model, stream }) => {
      const answer = await gateway.complete({ model, stream });
      await answer.arrayBuffer();
      const id = answer.headers.get('x-request-id') ?? '';
      const entry = await gateway.sandbox.journal.waitFor(({ requestId }) => requestId === id);
      expect(await gateway.waitForRow(id)).toMatchObject({
        status: 'success',
        http_status: 200,
        error_code: null,
        model,
        is_stream: stream,
        usage_source: 'provider',
        prompt_tokens: entry.promptTokens,
        completion_tokens: entry.completionTokens,
        cache_read_tokens: model.endsWith('cached_tokens=1') ? 1 : 0,
        reasoning_tokens: model === 'sandbox-reasoning' ? 24 : 0,
      });
    }),
  );
  expect(gateway.problems).toEqual([]);
});
