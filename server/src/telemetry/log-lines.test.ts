import { describe, expect, it } from 'vitest';
import type { ProviderCall } from '#gateway/exchange.ts';
import { createLogger } from '#platform/logger.ts';
import { createRecord } from '../../test/request-record.ts';
import { logAccess } from './access-log.ts';
import { FailureLog } from './failure-log.ts';
import { listRefusedInstances } from './provider-outcomes.ts';

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

describe('FailureLog', () => {
  const start = () => {
    const { lines, log } = listen();
    let nowMs = 0;
    const failures = new FailureLog(log, () => nowMs);
    return { lines, failures, pass: (ms: number) => (nowMs += ms) };
  };

  it('FailureLog logs each kind of failure once a minute, with its count', () => {
    const { lines, failures, pass } = start();
    const record = createRecord({ status: 'error', errorCode: 'upstream_error' });
    for (let times = 0; times < 5; times++) failures.note(record, [failed, failed]);
    failures.note(record, [{ ...failed, httpStatus: 503, errorCode: 'upstream_overloaded' }]);
    expect(lines.map(({ httpStatus, repeats }) => [httpStatus, repeats])).toEqual([
      [500, 0],
      [503, 0],
    ]);
    pass(60_000);
    failures.note(record, [failed]);
    expect(lines.at(-1)).toMatchObject({
      level: 'warn',
      msg: 'a provider failed',
      cause: 'server_error',
      repeats: 9,
    });
    expect(JSON.stringify(lines)).not.toContain(canary);
  });

  it('FailureLog logs only failures caused by the provider, including those after the first byte', () => {
    const { lines, failures } = start();
    const refused = createRecord({ status: 'error', errorCode: 'provider_rejected' });
    failures.note(refused, [{ ...failed, errorCode: 'provider_rejected', httpStatus: 400 }]);
    failures.note(createRecord({ status: 'client_closed' }), [{ ...failed, cause: 'aborted' }]);
    failures.note(createRecord({ status: 'success' }), [answered]);
    expect(lines).toEqual([]);
    failures.note(createRecord({ status: 'error', errorCode: 'upstream_timeout' }), [answered]);
    expect(lines).toMatchObject([{ code: 'upstream_timeout', phase: 'after_first_byte' }]);
  });

  it('FailureLog leaves out a cause that may be a sentence', () => {
    const { lines, failures } = start();
    failures.note(createRecord({ status: 'error' }), [{ ...failed, cause: `said: ${canary}` }]);
    expect(lines).toMatchObject([{ cause: null }]);
  });
});

it('listRefusedInstances skips an instance whose previous key still works', () => {
  const refusal = { ...failed, errorCode: 'provider_auth_failed' as const, httpStatus: 401 };
  expect(listRefusedInstances([refusal])).toEqual([{ instanceId: 3, kind: 'provider_auth_failed' }]);
  expect(listRefusedInstances([refusal, answered])).toEqual([]);
  expect(listRefusedInstances([failed])).toEqual([]);
});
