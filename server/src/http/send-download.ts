import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Download } from './console-route.ts';

/** Sends a file at the caller's pace. When its making fails midway, the connection breaks, so that nobody takes it for whole. */
export function sendDownload(reply: FastifyReply, { fileName, mediaType, text }: Download): FastifyReply {
  return reply
    .header('content-type', `${mediaType}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(text, { objectMode: false, highWaterMark: bufferedBytes }));
}

const bufferedBytes = 64 * 1024;
