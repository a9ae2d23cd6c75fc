import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as openRequest } from 'node:http';
import { Readable } from 'node:stream';

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  /** Sent as it is, with its length; an iterable is sent in chunks without one. */
  body?: string | Buffer | Iterable<Buffer>;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends one request on a separate connection, without a client library. */
export function sendRaw(
  port: number,
  { method = 'POST', path = '/api/v1/chat/completions', headers = {}, body = '' }: RawRequest,
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  const length = isWhole ? { 'content-length': Buffer.byteLength(body) } : {};
  const request = openRequest({ port, method, path, agent: false, headers: { ...length, ...headers } });
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks).toString(),
      }),
    );
  });
  // Once there is a response, it does not matter that the rest of the body could not be sent.
  request.on('error', (error) => setTimeout(reject, 500, error));
  if (isWhole) request.end(body);
  else Readable.from(body).pipe(request);
  return promise;
}
