import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Download } from './console-route.ts';

/**
 * Streams a file at the client's speed. An error midway breaks the connection, so that the file is not mistaken for
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
