import type { Received } from '../exchange.ts';

export const jsonType = 'application/json; charset=utf-8';

export function sendJson(
  { head, response }: Pick<Received, 'head' | 'response'>,
  status: number,
  body: Buffer,
): void {
  head.set('content-length', String(body.length));
  head.send(status, jsonType);
  response.end(body);
}
