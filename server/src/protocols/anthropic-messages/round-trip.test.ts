import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { SseSplitter } from '#upstream/sse.ts';
import type { Finish } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { parseRequest } from './read-request.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { request, response, stream } from './testing/arbitrary.ts';
import { answerContext, encodeBytes, encodeFor, encodeFrames } from './testing/exchange.ts';

/** Native finish reasons of other protocols are not sent to callers. */
const withoutNative = ({ native: _native, ...finish }: Finish) => finish;

function decodeAt(bytes: Buffer, cuts: readonly number[]): StreamEvent[] {
  const splitter = new SseSplitter();
  const decoder = createStreamDecoder();
  const edges = [0, ...cuts, bytes.length];
  const events = edges.slice(1).flatMap((edge, index) => splitter.feed(bytes.subarray(edges[index], edge)));
  return [...events.flatMap((event) => decoder.decode(event)), ...decoder.end()];
}

const settle = (events: readonly StreamEvent[]) => {
  const usage = events.findLast(({ type }) => type === 'usage');
  const others = events.filter(({ type }) => type !== 'usage');
  return [
    ...others.map((event) =>
      event.type === 'finish' ? { ...event, finish: withoutNative(event.finish) } : event,
    ),
    usage,
  ];
};

describe('encoding and decoding round trip', () => {
  it('requests are unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const { body, warnings } = encodeFor('claude-sonnet-4-6', asked);
        expect(warnings).toEqual([]);
        const parsed = parseRequest(Buffer.from(JSON.stringify(body)));
        const read = parsed.ok ? parsed.request.toCanonical() : parsed;
        expect(read).toEqual({ ok: true, request: asked });
      }),
      { numRuns: sampleRuns(500) },
    );
  });

  it('complete responses are unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(response, (answer) => {
        const encoded = Buffer.from(JSON.stringify(encodeResponse(answer, answerContext)));
        const read = decodeResponse(encoded);
        const [before] = answer.choices;
        const [after] = read?.choices ?? [];
        expect(after?.parts).toEqual(before?.parts);
        expect(after && withoutNative(after.finish)).toEqual(before && withoutNative(before.finish));
        expect({ ...read, choices: [] }).toEqual({ ...answer, choices: [] });
      }),
      { numRuns: sampleRuns(500) },
    );
  });

  it('streams are unchanged after encoding and decoding for any chunk size', () => {
    fc.assert(
      fc.property(stream, fc.infiniteStream(fc.integer({ min: 1, max: 400 })), (events, steps) => {
        const bytes = encodeBytes(events);
        const cuts: number[] = [];
        for (const step of steps) {
          const next = (cuts.at(-1) ?? 0) + step;
          if (next >= bytes.length) break;
          cuts.push(next);
        }
        expect(settle(decodeAt(bytes, cuts))).toEqual(settle(events));
      }),
      { numRuns: sampleRuns(500) },
    );
  });
});

describe('streams for a caller', () => {
  const shapes: Readonly<Record<string, readonly string[]>> = {
    text: ['text_delta'],
    thinking: ['thinking_delta', 'signature_delta'],
    redacted_thinking: [],
    tool_use: ['input_json_delta'],
  };

  it('stream encoder opens one block at a time, numbers them from 0, and sends only matching deltas', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const frames = encodeFrames(events);
        expect(frames[0]?.type).toBe('message_start');
        expect(frames.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop']);
        let open: string | null = null;
        let blockCount = 0;
        for (const { type, index, content_block, delta } of frames.slice(1, -2)) {
          switch (type) {
            case 'content_block_start':
              expect(open).toBeNull();
              expect(index).toBe(blockCount++);
              open = content_block?.type ?? '';
              break;
            case 'content_block_delta':
              expect(index).toBe(blockCount - 1);
              expect(shapes[open ?? '']).toContain(delta?.type);
              break;
            default:
              expect(type).toBe('content_block_stop');
              expect(open).not.toBeNull();
              open = null;
          }
        }
        expect(open).toBeNull();
      }),
      { numRuns: sampleRuns(500) },
    );
  });
});
