import { errorCodes } from '@sluice/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { readWireCases, writeSse } from '#test/requests/wire-cases.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { decodeBytes, encodeBytes, encodeFrames } from './testing/exchange.ts';

const streams = readWireCases('anthropic')
  .filter(({ response }) => response.sse !== undefined)
  .map(({ response }) => writeSse(response).toString());

type Mutation = (frames: string[], at: number, other: number) => string[];

const mutations: Readonly<Record<string, Mutation>> = {
  drop: (frames, at) => frames.toSpliced(at, 1),
  double: (frames, at) => frames.toSpliced(at, 0, frames[at] ?? ''),
  swap: (frames, at, other) => frames.with(at, frames[other] ?? '').with(other, frames[at] ?? ''),
  cutOff: (frames, at) => frames.slice(0, at),
  cutWithin: (frames, at, other) => frames.with(at, (frames[at] ?? '').slice(0, -1 - (other % 40))),
  changeType: (frames, at) =>
    frames.with(at, (frames[at] ?? '').replace(/"type": ?"\w+"/, '"type":"new_kind"')),
  changeValue: (frames, at) => frames.with(at, (frames[at] ?? '').replace(/: ?"[^"]*"/, ':null')),
  changeIndex: (frames, at, other) =>
    frames.with(at, (frames[at] ?? '').replace(/"index": ?\d+/, `"index":${other - 3}`)),
  insertError: (frames, at) => frames.toSpliced(at, 0, 'event: error\ndata: {"type":"error","error":"x"}'),
  insertNoise: (frames, at) => frames.toSpliced(at, 0, ': keep-alive', 'data: [1,2', 'data: {"choices":[]}'),
};

const mutated = fc
  .record({
    stream: fc.constantFrom(...streams),
    steps: fc.array(fc.tuple(fc.constantFrom(...Object.keys(mutations)), fc.nat(), fc.nat()), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(({ stream, steps }) => {
    const frames = steps.reduce(
      (rest, [name, at, other]) =>
        rest.length === 0 ? rest : (mutations[name]?.(rest, at % rest.length, other % rest.length) ?? rest),
      stream.split('\n\n').filter((frame) => frame !== ''),
    );
    return Buffer.from(frames.map((frame) => `${frame}\n\n`).join(''));
  });

function checkOrder(events: readonly StreamEvent[]): void {
  let open: string | null = null;
  let blockCount = 0;
  for (const [index, event] of events.entries()) {
    if (event.type === 'start') expect(index).toBe(0);
    if (event.type === 'end' || event.type === 'error') expect(index).toBe(events.length - 1);
    if (event.type === 'error') expect(Object.keys(errorCodes)).toContain(event.code);
    const [, kind, step] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(event.type) ?? [];
    if (!kind || !('block' in event)) continue;
    if (step === 'start') {
      expect(open).toBeNull();
      expect(event.block).toBe(blockCount++);
      open = kind;
    } else {
      expect([kind, event.block]).toEqual([open, blockCount - 1]);
      if (step === 'end') open = null;
    }
  }
  if (events.at(-1)?.type !== 'error') expect(open).toBeNull();
  expect(events.filter(({ type }) => type === 'finish').length).toBeLessThanOrEqual(1);
}

describe('garbled provider streams', () => {
  it('stream decoder never throws, keeps the event order, and uses only known error codes for garbled streams', () => {
    fc.assert(
      fc.property(mutated, (bytes) => {
        checkOrder(decodeBytes(bytes));
      }),
      { numRuns: sampleRuns(1500) },
    );
  });

  it('stream encoder writes a valid stream without an end for garbled streams that have none', () => {
    fc.assert(
      fc.property(mutated, (bytes) => {
        const events = decodeBytes(bytes);
        const frames = encodeFrames(events);
        const isEnded = events.some(({ type }) => type === 'end');
        const isFailed = frames.some(({ type }) => type === 'error');
        expect(frames.some(({ type }) => type === 'message_stop')).toBe(isEnded && !isFailed);
        checkOrder(decodeBytes(encodeBytes(events)));
      }),
      { numRuns: sampleRuns(500) },
    );
  });

  it('stream decoder accepts any event data', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (data) => {
        const decoder = createStreamDecoder();
        checkOrder([
          ...data.flatMap((text) => decoder.decode({ event: 'message', data: text })),
          ...decoder.end(),
        ]);
      }),
      { numRuns: sampleRuns(1000) },
    );
  });
});
