import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Download, EventStream } from './console-route.ts';

/**
 * Streams at the client's speed. An error during the stream breaks the connection, so that the file does not look
 * complete.
 */
export function sendDownload(reply: FastifyReply, { fileName, mediaType, text }: Download): FastifyReply {
  return reply
    .header('content-type', `${mediaType}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(text, { objectMode: false, highWaterMark: bufferedBytes }));
}

const bufferedBytes = 64 * 1024;

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
