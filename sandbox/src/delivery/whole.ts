import type { Outcome } from '../journal.ts';
import { cutConnection, type Delivered, type Delivery, pause, untilOver } from './delivery.ts';

const htmlPage = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>\n';

export async function sendWhole(delivery: Delivery, body: string): Promise<Delivered> {
  const { response, model, answer } = delivery;
  const { first_byte_ms, interval_ms } = model.settings;
  const durationMs = first_byte_ms + interval_ms * Math.max(0, answer.completionTokens - 1);
  if (durationMs > 0) await pause(response, durationMs);
  if (response.destroyed) return nothingDelivered('client_closed');

  switch (model.fault) {
    case 'truncate':
      return end(delivery, 'application/json', firstHalf(body), 'truncated');
    case 'garbage':
      return end(delivery, 'text/html; charset=utf-8', htmlPage, 'refused');
    case 'stall':
      await untilOver(response);
      return nothingDelivered('client_closed');
    case 'reset':
      writeHead(delivery, 'application/json', body);
      response.write(firstHalf(body));
      await cutConnection(response);
      return { ...nothingDelivered('reset'), bodyBytes: Buffer.byteLength(firstHalf(body)) };
    default:
      return end(delivery, 'application/json', body, 'completed');
  }
}

export function nothingDelivered(outcome: Outcome): Delivered {
  return { completionTokens: 0, bodyBytes: 0, frames: [], outcome };
}

async function end(
  delivery: Delivery,
  contentType: string,
  body: string,
  outcome: Outcome,
): Promise<Delivered> {
  writeHead(delivery, contentType, body);
  // Node sends a string body in one write together with the head, unlike a buffer.
  delivery.response.end(body);
  await untilOver(delivery.response);
  if (!delivery.response.writableFinished) return nothingDelivered('client_closed');
  const completionTokens = outcome === 'completed' ? delivery.answer.completionTokens : 0;
  return { ...nothingDelivered(outcome), completionTokens, bodyBytes: Buffer.byteLength(body) };
}

function writeHead({ response, headers }: Delivery, contentType: string, body: string): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(200, [...headers(), 'content-type', contentType, 'content-length', length]);
}

export function firstHalf(body: string): string {
  return body.slice(0, body.length >> 1);
}
