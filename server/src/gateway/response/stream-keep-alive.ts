import type { ServerResponse } from 'node:http';
import type { Received } from '../exchange.ts';
import { beginStream } from './begin-stream.ts';

/** Tells the callers of silent streams, and all between, that the connection lives. */
export interface StreamKeepAlive {
  /** From now until the answer's end. */
  watch(exchange: Pick<Received, 'head' | 'response' | 'route'>): void;
}

/** Readers of events skip comments; other framings have none. */
const comment = ': keep-alive\n\n';
const eventsType = /^text\/event-stream/;

interface Watched {
  readonly exchange: Pick<Received, 'head' | 'response' | 'route'>;
  /** When it was looked at last. */
  writtenBytes: number;
}

/**
 * Writes a comment wherever nothing has been written for so long at most, also before the first event; that begins the
 * answer. One timer looks at all streams, so that events cost nothing more.
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
      // Whoever has left by now is told of no end any more, and would be kept for ever.
      if (response.closed || !eventsType.test(route.protocol.caller.streamContentType)) return;
      // What is silent from one look to the next has been so for no longer than both together.
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
