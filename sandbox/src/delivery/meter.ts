import type { ServerResponse } from 'node:http';
import type { FrameRun, Outcome } from '../journal.ts';
import type { Delivered } from './delivery.ts';

/** A piece of a stream that a client takes as one: an event, a line, an element; with the tokens it carries. */
export interface Frame {
  data: string;
  tokens: number;
}

export interface Meter {
  /** Hands a frame to the socket; false when that has no room for more. */
  write(data: string, tokens?: number): boolean;
  delivered(outcome: Outcome): Delivered;
}

/** Counts what a response hands to its socket. */
export function createMeter(response: ServerResponse): Meter {
  const frames: FrameRun[] = [];
  let completionTokens = 0;
  let bodyBytes = 0;
  return {
    write(data, tokens = 0) {
      completionTokens += tokens;
      bodyBytes += Buffer.byteLength(data);
      const run = frames.at(-1);
      if (run?.tokensEach === tokens) run.count++;
      else frames.push({ count: 1, tokensEach: tokens });
      return response.write(data);
    },
    delivered: (outcome) => ({ completionTokens, bodyBytes, frames, outcome }),
  };
}
