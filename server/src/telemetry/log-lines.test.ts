import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProviderCall } from '#gateway/exchange.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { createLogger } from '#platform/logger.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { listRefusedInstances, logFailures } from './failure-log.ts';
import { logAccess } from './telemetry.ts';

const canary = 'words-of-a-prompt';
const failed: ProviderCall = {
  instanceId: 3,
  instanceName: 'lab',
  providerKey: 'custom',
  model: 'm',
  startedMs: 1,
  durationMs: 20,
  httpStatus: 500,
  errorCode: 'upstream_error',
  cause: 'server_error',
  message: canary,
};
const answered: ProviderCall = { ...failed, httpStatus: 200, errorCode: null, cause: null, message: null };

function listen() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, log };
}

it('logAccess writes only fields defined by Sluice, and no text of the request', () => {
  const { lines, log } = listen();
  const usage = {
    inputTokens: 5,
    outputTokens: 7,
    cacheReadTokens: 2,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
  const texts = { prompt: canary, response: canary, errorMessage: canary, modelRequested: canary };
  const record = createRecord({
    ...texts,
    status: 'error',
    httpStatus: 502,
    errorCode: 'upstream_error',
    usage,
  });
  logAccess(log, { ...record, requestBody: canary, clientRequestId: canary, responseTimeMs: 12.4 });
  expect(lines).toMatchObject([
    {
      level: 'info',
      msg: 'request',
      requestId: record.id,
      status: 'error',
      httpStatus: 502,
      code: 'upstream_error',
      durationMs: 12,
      inputTokens: 7,
      outputTokens: 7,
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain(canary);
});

describe('logFailures', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const start = () => {
    const { lines, log } = listen();
    const note = (record: RequestRecord, calls: readonly ProviderCall[]) => logFailures(log, record, calls);
    return { lines, note };
  };

  it('logFailures logs each kind of failure immediately, then once a minute with its count', () => {
    const { lines, note } = start();
    const record = createRecord({ status: 'error', errorCode: 'upstream_error' });
    for (let times = 0; times < 5; times++) note(record, [failed, failed]);
    note(record, [{ ...failed, httpStatus: 503, errorCode: 'upstream_overloaded' }]);
    expect(lines.map(({ httpStatus }) => httpStatus)).toEqual([500, 503]);
    vi.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toMatchObject({
      level: 'warn',
      msg: 'a provider failed',
      cause: 'server_error',
      repeats: 9,
    });
    expect(JSON.stringify(lines)).not.toContain(canary);
  });

  it('logFailures logs only failures caused by the provider, including those after the first byte', () => {
    const { lines, note } = start();
    const refused = createRecord({ status: 'error', errorCode: 'provider_rejected' });
    note(refused, [{ ...failed, errorCode: 'provider_rejected', httpStatus: 400 }]);
    note(createRecord({ status: 'client_closed' }), [{ ...failed, cause: 'aborted' }]);
    note(createRecord({ status: 'success' }), [answered]);
    expect(lines).toEqual([]);
    note(createRecord({ status: 'error', errorCode: 'upstream_timeout' }), [answered]);
    expect(lines).toMatchObject([{ code: 'upstream_timeout', phase: 'after_first_byte' }]);
  });

  it('logFailures omits a cause that may be a sentence', () => {
    const { lines, note } = start();
    note(createRecord({ status: 'error' }), [{ ...failed, cause: `said: ${canary}` }]);
    expect(lines).toMatchObject([{ cause: null }]);
  });
});

it('listRefusedInstances skips an instance whose previous key still works', () => {
  const refusal = { ...failed, errorCode: 'provider_auth_failed' as const, httpStatus: 401 };
  expect(listRefusedInstances([refusal])).toEqual([{ instanceId: 3, kind: 'provider_auth_failed' }]);
  expect(listRefusedInstances([refusal, answered])).toEqual([]);
  expect(listRefusedInstances([failed])).toEqual([]);
});
