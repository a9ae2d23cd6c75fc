import { connect } from 'node:net';

export interface Leaving {
  /** Response body decoded from its chunks; `null` before the end of the head. */
  readonly body: string | null;
  readonly leftAtMs: number;
  /** Number of received bytes, including the head and the chunk sizes. */
  readonly rawBytes: number;
}

export interface LeaveOptions {
  readonly bytes: number;
  readonly toEventEnd?: boolean;
  /** Milliseconds before disconnecting if nothing is to be read. */
  readonly waitMs?: number;
}

/**
 * Sends a request, reads exactly the given number of response bytes, and disconnects. Resolves at the end of a
 * shorter response.
 */
export async function leaveAtByte(port: number, request: string, options: LeaveOptions): Promise<Leaving> {
  const answer = (await readAnswer(port, request, options)).toString('latin1');
  const leftAtMs = Date.now();
  return { body: readBody(answer), leftAtMs, rawBytes: answer.length };
}

function readAnswer(
  port: number,
  request: string,
  { bytes, toEventEnd = false, waitMs = 0 }: LeaveOptions,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let left = bytes;
  const leave = () => {
    socket.destroy();
    resolve(Buffer.concat(chunks));
  };
  const socket = connect({
    port,
    host: '127.0.0.1',
    onread: {
      buffer: () => Buffer.allocUnsafe(Math.min(Math.max(left, 1), 16_384)),
      callback(count, buffer) {
        if (left === 0) return false;
        chunks.push(Buffer.from(buffer.subarray(0, count)));
        left -= count;
        if (left === 0 && toEventEnd && !isEventEnd(chunks)) left = 1;
        if (left === 0) leave();
        return left > 0;
      },
    },
  });
  socket.on('error', reject);
  socket.on('close', leave);
  socket.write(request, () => {
    if (bytes === 0) setTimeout(leave, waitMs);
  });
  return promise;
}

const isEventEnd = (chunks: readonly Buffer[]) =>
  Buffer.concat(chunks.slice(-2)).toString('latin1').endsWith('\n\n');

function readBody(answer: string): string | null {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  if (!/^HTTP\/1\.1 200 .*^transfer-encoding: chunked/ims.test(answer.slice(0, headEnd)))
    throw new Error(`the response is not a stream: ${answer}`);
  let body = '';
  let rest = answer.slice(headEnd + 4);
  for (;;) {
    const sizeEnd = rest.indexOf('\r\n');
    const size = Number.parseInt(rest, 16);
    if (sizeEnd === -1 || size === 0) return body;
    body += rest.slice(sizeEnd + 2, sizeEnd + 2 + size);
    rest = rest.slice(sizeEnd + 2 + size + 2);
  }
}
