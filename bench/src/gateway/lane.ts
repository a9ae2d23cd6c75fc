import { connect, type Socket } from 'node:net';
import { createAnswerReader } from './answer-reader.ts';

/** When a request was due, and when the first and the last byte of the response body arrived. */
export interface Timing {
  dueAtMs: number;
  firstByteAtMs: number;
  endedAtMs: number;
}

/** Connection that carries one request at a time. */
export interface Lane {
  /** Sends the request; the response is reported with the time at which the request was due. */
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
