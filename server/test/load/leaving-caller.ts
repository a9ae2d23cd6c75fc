import { request as openRequest } from 'node:http';
import { hello, type TestGateway } from '../console/gateway.ts';

export interface Departure {
  received: string;
  leftAtMs: number;
}

/** Closes the connection as soon as `isEnough` returns true. */
export function leaveMidAnswer(
  gateway: TestGateway,
  body: object,
  clientRequestId: string,
  isEnough: (received: string) => boolean,
): Promise<Departure> {
  const { promise, resolve, reject } = Promise.withResolvers<Departure>();
  const request = openCall(gateway, clientRequestId);
  let received = '';
  request.on('response', (response) => {
    const leaveWhenEnough = () => {
      if (!isEnough(received)) return;
      response.off('data', onData);
      request.destroy();
      resolve({ received, leftAtMs: Date.now() });
    };
    const onData = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      leaveWhenEnough();
    };
    response.on('data', onData);
    response.on('error', () => undefined);
    response.on('end', () => reject(new Error('the response ended before the caller disconnected')));
    leaveWhenEnough();
  });
  request.on('error', reject);
  request.end(JSON.stringify({ messages: hello, ...body }));
  return promise;
}

export function openCall(
  { port, apiKey }: Pick<TestGateway, 'port' | 'apiKey'>,
  clientRequestId: string,
  headers = {},
) {
  return openRequest({
    port,
    method: 'POST',
    path: '/api/v1/chat/completions',
    agent: false,
    headers: { authorization: `Bearer ${apiKey}`, 'x-request-id': clientRequestId, ...headers },
  });
}
