import type { ServerResponse } from 'node:http';
import type { FrameRun, Outcome } from '../journal.ts';
import type { Delivered } from './delivery.ts';

/** Unit of a stream that a client processes at once (an event, a line, an element), with its tokens. */
export interface Frame {
  data: string;
  tokens: number;
}

export interface Meter {
  /** Writes a frame to the socket; returns false if the socket is full. */
  write(data: string, tokens?: number): boolean;
  delivered(outcome: Outcome): Delivered;
}

/** Returns a meter that counts what a response writes to its socket. */
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
