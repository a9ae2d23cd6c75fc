import { expect, it } from 'vitest';
import { replayStream } from '#test/providers/replay-stream.ts';
import { callerProtocols, passStream } from '#test/requests/through-callers.ts';
import { protocols } from '../registry.ts';
import { readUnixSeconds } from './unix-seconds.ts';

it.each([
  [0, 0],
  [1_782_321_591, 1_782_321_591],
  [1_782_321_591.9, 1_782_321_591],
  [253_402_300_799, 253_402_300_799],
  [1_782_321_591_000_000, null],
  [Number.POSITIVE_INFINITY, null],
  [-1, null],
  ['1782321591', null],
  [null, null],
])('readUnixSeconds reads %j as %j', (value, seconds) => {
  expect(readUnixSeconds(value)).toBe(seconds);
});

it.each(['1e999', '8640000000001', '-1'])(
  'a response created at %s can be encoded for every caller',
  (created) => {
    const chunk = `{"id":"c","model":"m","created":${created},"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}`;
    const events = replayStream(
      protocols['openai-chat'].provider,
      Buffer.from(`data: ${chunk}\n\ndata: [DONE]\n\n`),
    );
    for (const protocol of callerProtocols)
      expect(passStream(protocol, events)).toContainEqual(
        expect.objectContaining({ type: 'text-delta', text: 'a' }),
      );
  },
);
