import type { Received } from '../exchange.ts';

/** Starts a streaming response. From here on errors are sent within the stream. */
export function beginStream({ head, route }: Pick<Received, 'head' | 'route'>): void {
  head.set('x-accel-buffering', 'no');
  head.send(200, route.protocol.caller.streamContentType);
}
