import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { EventStream } from './console-route.ts';

/** Sends each event immediately. */
export function sendEvents(reply: FastifyReply, { events }: EventStream): FastifyReply {
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(formatFrames(events), { objectMode: false }));
}

async function* formatFrames(events: EventStream['events']): AsyncGenerator<string> {
  for await (const { event, data } of events) yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
