import type { ServerResponse } from 'node:http';
import type { Received } from '../exchange.ts';
import { beginStream } from './begin-stream.ts';

/** Shows callers of silent streams, and proxies in between, that the connection is alive. */
export interface StreamKeepAlive {
  /** Watches a response until it ends. */
  watch(exchange: Pick<Received, 'head' | 'response' | 'route'>): void;
}

/** Event-stream clients skip comments; other framings have none. */
const comment = ': keep-alive\n\n';
const eventsType = /^text\/event-stream/;

interface Watched {
  readonly exchange: Pick<Received, 'head' | 'response' | 'route'>;
  /** Bytes written at the last check. */
  writtenBytes: number;
}

/**
 * Creates a keep-alive that writes a comment after at most `silentMaxMs` of silence, even before the first event, which
 * starts the response. One timer checks all streams, so that events cost nothing extra.
 */
export function createStreamKeepAlive(silentMaxMs: number): StreamKeepAlive {
  const streams = new Map<ServerResponse, Watched>();
  let timer: NodeJS.Timeout | null = null;
  const look = () => {
    for (const watched of streams.values()) keepAlive(watched);
  };
  const forget = (response: ServerResponse) => {
    streams.delete(response);
    if (streams.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return {
    watch(exchange) {
      const { response, route } = exchange;
      // A closed response emits no further `close` event, so it would never be removed.
      if (response.closed || !eventsType.test(route.protocol.caller.streamContentType)) return;
      // A stream is found silent after at most two intervals.
      timer ??= setInterval(look, silentMaxMs / 2).unref();
      streams.set(response, { exchange, writtenBytes: Number.NaN });
      response.once('close', () => forget(response));
    },
  };
}

function keepAlive(watched: Watched): void {
  const { response } = watched.exchange;
  const writtenBytes = response.socket?.bytesWritten ?? 0;
  const isSilent = writtenBytes === watched.writtenBytes;
  watched.writtenBytes = writtenBytes;
  if (!isSilent || response.writableEnded || response.writableLength > 0) return;
  if (!response.headersSent) beginStream(watched.exchange);
  response.write(comment);
  watched.writtenBytes = response.socket?.bytesWritten ?? 0;
}
