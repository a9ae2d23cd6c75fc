import type { ServerResponse } from 'node:http';
import type { FrameRun, Outcome } from '../journal.ts';
import { cutConnection, type Delivered, type Delivery, pause, untilOver, waitForDrain } from './delivery.ts';
import { firstHalf } from './whole.ts';

export interface FrameStream {
  contentType: string;
  /** Frames to send immediately, even if a fault follows. */
  opening: Frame[];
  body: Iterable<Frame>;
  closing: () => string[];
  /** Returns the frame that replaces the rest of the stream when the model fails. */
  error: () => string;
  /** Mark at the end of a frame. Empty if the protocol does not use one. */
  frameEnd: string;
}

export const eventStream = { contentType: 'text/event-stream; charset=utf-8', frameEnd: '\n\n' };

/**
 * Streams a response at the model's pace, or breaks the stream as the model's fault requires. Stops within one frame
 * after a disconnect.
 */
export async function sendStream(delivery: Delivery, stream: FrameStream): Promise<Delivered> {
  const { response, model, headers } = delivery;
  const meter = createMeter(response);
  if (model.settings.first_byte_ms > 0) await pause(response, model.settings.first_byte_ms);
  if (response.destroyed) return meter.delivered('client_closed');

  response.writeHead(200, [
    ...headers(),
    ...['content-type', stream.contentType, 'cache-control', 'no-cache'],
  ]);
  for (const { data, tokens } of stream.opening) meter.write(data, tokens);
  await sendBody(delivery, stream.body, meter);
  if (response.destroyed) return meter.delivered('client_closed');
  switch (model.fault) {
    case null:
      for (const data of stream.closing()) meter.write(data);
      return end(delivery, meter, 'completed');
    case 'truncate':
      return end(delivery, meter, 'truncated');
    case 'garbage':
      meter.write(firstHalf(stream.error()) + stream.frameEnd);
      return end(delivery, meter, 'truncated');
    case 'error':
      meter.write(stream.error());
      return end(delivery, meter, 'truncated');
    case 'stall':
      await untilOver(response);
      return meter.delivered('client_closed');
    case 'reset':
      await cutConnection(response);
      return meter.delivered('reset');
  }
}

async function sendBody({ response, model }: Delivery, body: Iterable<Frame>, meter: Meter): Promise<void> {
  const intervalMs = model.settings.interval_ms;
  const limit = model.fault ? model.settings.fault_after : Infinity;
  let sent = 0;
  if (limit === 0) return;
  for (const { data, tokens } of body) {
    // The first frame with tokens is sent immediately. Later frames wait for the duration of their tokens.
    const durationMs = sent > 0 ? intervalMs * tokens : 0;
    if (durationMs > 0) await pause(response, durationMs);
    if (response.destroyed) break;
    sent += tokens;
    if (!meter.write(data, tokens)) await waitForDrain(response);
    if (sent >= limit) break;
  }
}

async function end(
  { response }: Delivery,
  meter: Meter,
  outcome: 'completed' | 'truncated',
): Promise<Delivered> {
  response.end();
  await untilOver(response);
  return meter.delivered(response.writableFinished ? outcome : 'client_closed');
}

/** Smallest unit of a stream that a client can process (an event, a line or an element), and its number of tokens. */
export interface Frame {
  data: string;
  tokens: number;
}

interface Meter {
  /** Writes a frame to the socket. Returns `false` if the socket buffer is full. */
  write(data: string, tokens?: number): boolean;
  delivered(outcome: Outcome): Delivered;
}

function createMeter(response: ServerResponse): Meter {
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

export function* takeTurns<Item>(choices: Generator<Item>[]): Generator<Item> {
  let left = choices;
  while (left.length > 0) {
    const unfinished = [];
    for (const choice of left) {
      const { value, done } = choice.next();
      if (done) continue;
      yield value;
      unfinished.push(choice);
    }
    left = unfinished;
  }
}
