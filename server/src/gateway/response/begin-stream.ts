import type { Received } from '../exchange.ts';

/** The head of a streamed answer. From here on a failure is told inside of the stream. */
export function beginStream({ head, route }: Pick<Received, 'head' | 'route'>): void {
  head.set('x-accel-buffering', 'no');
  head.send(200, route.protocol.caller.streamContentType);
}
