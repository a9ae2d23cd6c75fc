import { cutConnection, pause, untilOver, untilRoom } from './connection.ts';
import type { Delivered, Delivery } from './delivery.ts';

/** A protocol's server-sent events for one answer, each with the blank line that ends it. */
export type EventStream = {
  opening: string[];
  /** one event per token, made only as fast as the client takes them */
  tokens: Iterable<string>;
  closing: string[];
};

/** Streams an answer at its model's pace, or spoils it as the model does; stops within one token of the client's leaving. */
export async function sendStream(delivery: Delivery, events: EventStream): Promise<Delivered> {
  const { response, model, answer, headers } = delivery;
  if (model.settings.first_byte_ms > 0) await pause(response, model.settings.first_byte_ms);
  if (response.destroyed) return { completionTokens: 0, outcome: 'client_closed' };

  const contentType = ['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache'];
  response.writeHead(200, [...headers(), ...contentType]);
  for (const event of events.opening) response.write(event);
  const completionTokens = answer.reasoningTokens + (await sendTokens(delivery, events.tokens));
  if (response.destroyed) return { completionTokens, outcome: 'client_closed' };

  switch (model.fault) {
    case null:
      for (const event of events.closing) response.write(event);
      return end(delivery, { completionTokens, outcome: 'completed' });
    case 'truncate':
      return end(delivery, { completionTokens, outcome: 'truncated' });
    case 'garbage':
      for (const event of events.opening) response.write(`${event.slice(0, event.length >> 1)}\n\n`);
      return end(delivery, { completionTokens, outcome: 'truncated' });
    case 'stall':
      await untilOver(response);
      return { completionTokens, outcome: 'client_closed' };
    case 'reset':
      await cutConnection(response);
      return { completionTokens, outcome: 'reset' };
  }
}

async function sendTokens({ response, model }: Delivery, tokens: Iterable<string>): Promise<number> {
  const intervalMs = model.settings.interval_ms;
  const limit = model.fault ? model.settings.fault_after : Infinity;
  let sent = 0;
  for (const event of tokens) {
    if (sent === limit) break;
    if (sent > 0 && intervalMs > 0) await pause(response, intervalMs);
    if (response.destroyed) break;
    sent++;
    if (!response.write(event)) await untilRoom(response);
  }
  return sent;
}

async function end({ response }: Delivery, delivered: Delivered): Promise<Delivered> {
  response.end();
  await untilOver(response);
  return response.writableFinished ? delivered : { ...delivered, outcome: 'client_closed' };
}
