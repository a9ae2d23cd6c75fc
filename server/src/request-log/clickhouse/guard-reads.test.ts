import { expect, it } from 'vitest';
import { LogStoreError, LogTimeoutError } from '#domain/request-log/log-store-error.ts';
import type { ClickhouseConnection } from './connection.ts';
import { guardReads } from './guard-reads.ts';

type Read = ClickhouseConnection['read'];

function startGuard() {
  let nowMs = 0;
  const waiting: PromiseWithResolvers<object[]>[] = [];
  const queries: string[] = [];
  const receive = (query: string) => {
    queries.push(query);
    const answer = Promise.withResolvers<object[]>();
    waiting.push(answer);
    return answer.promise;
  };
  const connection = {
    // safe because the guard passes on the result unchanged
    read: receive as unknown as Read,
    async *stream(query: string) {
      yield* await receive(query);
    },
  } as unknown as ClickhouseConnection;
  const guarded = guardReads(connection, () => nowMs);
  return {
    guarded,
    queries,
    pass: (ms: number) => {
      nowMs += ms;
    },
    respond: () => waiting.shift()?.resolve([{ one: 1 }]),
    fail: (error: Error) => waiting.shift()?.reject(error),
  };
}

const away = () => new LogStoreError('away');

it('guardReads rejects a read immediately while other reads have been pending for two seconds', async () => {
  const { guarded, pass, queries, respond } = startGuard();
  const waiting = [guarded.read('one'), guarded.read('two'), guarded.read('three')];
  pass(1_999);
  waiting.push(guarded.read('four'));
  pass(1);
  await expect(guarded.read('five')).rejects.toThrow('3 queries of the request log wait for a response.');
  await expect(guarded.stream('six').next()).rejects.toThrow(LogStoreError);
  for (const _ of waiting) respond();
  await Promise.all(waiting);
  const late = guarded.read('seven');
  respond();
  expect(await late).toEqual([{ one: 1 }]);
  expect(queries).toEqual(['one', 'two', 'three', 'four', 'seven']);
});

it('guardReads rejects reads after two failures without a response, until a check succeeds', async () => {
  const { fail, guarded, pass, queries, respond } = startGuard();
  for (const query of ['one', 'two']) {
    const failing = guarded.read(query);
    fail(away());
    await expect(failing).rejects.toThrow('away');
  }
  await expect(guarded.read('three')).rejects.toThrow('does not respond');
  pass(5_000);
  const checking = guarded.read('four');
  await expect(guarded.read('five')).rejects.toThrow('does not respond');
  fail(away());
  await expect(checking).rejects.toThrow('away');
  await expect(guarded.read('six')).rejects.toThrow('does not respond');
  pass(5_000);
  const checked = guarded.stream('seven').next();
  respond();
  await expect.poll(() => queries.at(-1)).toBe('seven');
  respond();
  expect(await checked).toEqual({ done: false, value: { one: 1 } });
  expect(queries).toEqual(['one', 'two', 'SELECT 1', 'SELECT 1', 'seven']);
});

it('guardReads keeps the circuit closed when the server stops queries at their limit', async () => {
  const { fail, guarded } = startGuard();
  for (const _ of Array.from({ length: 5 })) {
    const slow = guarded.read('search');
    fail(new LogTimeoutError('too long'));
    await expect(slow).rejects.toThrow('too long');
  }
});
