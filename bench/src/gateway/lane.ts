import { connect, type Socket } from 'node:net';

const headEnd = '\r\n\r\n';
// Last chunk of a chunked body. Responses are JSON and events, which contain no CRLF elsewhere.
const lastChunk = '0\r\n\r\n';

export type Progress = 'head' | 'body' | 'whole';

/**
 * Returns a reader for consecutive responses on one connection. The reader accepts bytes as they arrive and reports
 * progress. Throws if a status is not 200. Does as little work as possible.
 */
export function createAnswerReader(): (chunk: Buffer) => Progress {
  let head = '';
  let missingBytes = 0;
  let tail = '';
  let takeMore = takeHead;
  return (chunk) => {
    const progress = takeMore(chunk.toString('latin1'));
    if (progress === 'whole') {
      head = '';
      tail = '';
      takeMore = takeHead;
    }
    return progress;
  };

  function takeHead(text: string): Progress {
    head += text;
    const end = head.indexOf(headEnd);
    if (end === -1) return 'head';
    if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`refused: ${head.slice(0, 1_000)}`);
    const body = head.slice(end + headEnd.length);
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end)) ?? [];
    missingBytes = Number(length);
    takeMore = length === undefined ? takeChunked : takeSized;
    return body === '' && missingBytes !== 0 ? 'head' : takeMore(body);
  }

  function takeSized(text: string): Progress {
    missingBytes -= text.length;
    return missingBytes <= 0 ? 'whole' : 'body';
  }

  function takeChunked(text: string): Progress {
    tail = (tail + text).slice(-lastChunk.length);
    return tail === lastChunk ? 'whole' : 'body';
  }
}

/** Times when a request was due, and when the first and the last byte of the response body arrived. */
export interface Timing {
  dueAtMs: number;
  firstByteAtMs: number;
  endedAtMs: number;
}

export interface Lane {
  send(dueAtMs: number): void;
  close(): void;
}

interface Listeners {
  onAnswer(lane: Lane, timing: Timing): void;
  onFailure(error: Error): void;
}

export async function openLane(url: URL, request: Buffer, listeners: Listeners): Promise<Lane> {
  const socket = await openSocket(url);
  const read = createAnswerReader();
  let dueAtMs = 0;
  let firstByteAtMs = 0;

  const lane: Lane = {
    send(at) {
      dueAtMs = at;
      firstByteAtMs = 0;
      socket.write(request);
    },
    close() {
      socket.removeAllListeners('close').destroy();
    },
  };
  socket.on('data', (chunk: Buffer) => {
    try {
      const progress = read(chunk);
      if (progress === 'head') return;
      const now = performance.now();
      firstByteAtMs ||= now;
      if (progress === 'whole') listeners.onAnswer(lane, { dueAtMs, firstByteAtMs, endedAtMs: now });
    } catch (error) {
      listeners.onFailure(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on('error', listeners.onFailure);
  socket.on('close', () => listeners.onFailure(new Error(`${url.host} closed a connection`)));
  return lane;
}

function openSocket({ hostname, port }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
