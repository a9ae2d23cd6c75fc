import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { nonStreamingTimeouts, streamingTimeouts } from './client.ts';
import { UpstreamCall } from './upstream-call.ts';
import type { UpstreamError } from './upstream-error.ts';
import type { UpstreamTimeouts } from './upstream-response.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

function begin(timeouts: UpstreamTimeouts) {
  const failed: UpstreamError[] = [];
  const exchange = new UpstreamCall({
    signal: new AbortController().signal,
    timeouts,
    sweep: { add: () => new Set(), delete: () => true },
    answering: {
      resolve: ({ body }) =>
        body.consume({ onData: () => true, onEnd: () => undefined, onError: (error) => failed.push(error) }),
      reject: (error) => failed.push(error),
    },
  });
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    rawHeaders: null,
    rawTrailers: null,
    abort: (error) => exchange.onResponseError(null, error),
    pause: () => undefined,
    resume: () => undefined,
  };
  const codeAt = (nowMs: number) => {
    exchange.checkDeadlines(nowMs);
    return failed[0]?.code ?? null;
  };
  return {
    codeAt,
    start: () => exchange.onRequestStart(controller),
    head: () => exchange.onResponseStart(controller, 200, {}),
    chunk: () => exchange.onResponseData(controller, Buffer.from('a')),
  };
}

test.each([
  ['a stream', streamingTimeouts],
  ['a whole answer', nonStreamingTimeouts],
])('%s times out after 5 seconds of connecting', (_, timeouts) => {
  const { codeAt } = begin(timeouts);
  expect([codeAt(0), codeAt(5 * seconds - 1), codeAt(5 * seconds)]).toEqual([null, null, 'connect_timeout']);
});

test.each([
  ['a stream', streamingTimeouts, 120 * seconds, 'first_byte_timeout'],
  ['a whole answer', nonStreamingTimeouts, 600 * seconds, 'total_timeout'],
])('%s times out without a first byte, even after its head', (_, timeouts, limitMs, code) => {
  const { codeAt, start, head } = begin(timeouts);
  start();
  expect(codeAt(0)).toBeNull();
  head();
  expect([codeAt(limitMs - 1), codeAt(limitMs)]).toEqual([null, code]);
});

test.each([
  ['a stream', streamingTimeouts],
  ['a whole answer', nonStreamingTimeouts],
])('%s times out after a minute of silence between two bytes', (_, timeouts) => {
  const { codeAt, start, head, chunk } = begin(timeouts);
  start();
  codeAt(0);
  head();
  chunk();
  expect([codeAt(10 * seconds), codeAt(69 * seconds)]).toEqual([null, null]);
  chunk();
  expect([codeAt(70 * seconds), codeAt(130 * seconds - 1)]).toEqual([null, null]);
  expect(codeAt(130 * seconds)).toBe('idle_timeout');
});

test.each([
  ['a stream', streamingTimeouts, 60 * minutes],
  ['a whole answer', nonStreamingTimeouts, 10 * minutes],
])('%s reaches its total timeout even while data keeps arriving', (_, timeouts, totalMs) => {
  const { codeAt, start, head, chunk } = begin(timeouts);
  start();
  head();
  for (let nowMs = 0; nowMs < totalMs; nowMs += 30 * seconds) {
    chunk();
    expect(codeAt(nowMs)).toBeNull();
  }
  expect(codeAt(totalMs)).toBe('total_timeout');
});
