import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as openRequest } from 'node:http';
import { Readable } from 'node:stream';

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  /** Body to send unchanged. An iterable is sent in chunks without a length. */
  body?: string | Buffer | Iterable<Buffer>;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

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
  // Errors while sending the remaining body do not matter once there is a response.
  request.on('error', (error) => setTimeout(reject, 500, error));
  if (isWhole) request.end(body);
  else Readable.from(body).pipe(request);
  return promise;
}
