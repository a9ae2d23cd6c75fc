import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Answer } from '../generation/answer.ts';
import type { FrameRun, Outcome } from '../journal.ts';
import type { Model } from '../models/catalogue.ts';

/** Response in transit to a client. */
export interface Delivery {
  response: ServerResponse;
  model: Model;
  answer: Answer;
  /** Returns the vendor's own headers as alternating names and values. Called when the first byte is due. */
  headers: () => string[];
}

export interface Delivered {
  completionTokens: number;
  bodyBytes: number;
  frames: FrameRun[];
  outcome: Outcome;
}

// Maximum timer delay. Node fires timers with a longer delay immediately.
const timerMaxMs = 2 ** 31 - 1;

/** Resolves after the duration, or when the client disconnects. */
export function pause(response: ServerResponse, durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    const settle = () => {
      clearTimeout(timer);
      response.off('close', settle);
      resolve();
    };
    const timer = setTimeout(settle, Math.min(durationMs, timerMaxMs));
    response.on('close', settle);
  });
}

/** Resolves when the socket can accept more data, or when the client disconnects. */
export function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

/** Resolves when the response has ended or the connection is closed. */
export function untilOver(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve();
    response.on('close', resolve);
  });
}

/**
 * Closes the connection in the middle of a response, without a TCP reset. After a reset, the client's kernel would
 * discard tokens that the journal counts as sent.
 */
export async function cutConnection(response: ServerResponse): Promise<void> {
  // Node buffers writes until the end of the event-loop turn.
  await setImmediate();
  response.socket?.destroySoon();
  await untilOver(response);
}
