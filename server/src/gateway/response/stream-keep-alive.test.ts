import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStreamKeepAlive, type StreamKeepAlive } from './stream-writer.ts';

type Watched = Parameters<StreamKeepAlive['watch']>[0];
const streamingRoute = { protocol: { caller: { streamContentType: 'text/event-stream' } } };

const responses: ServerResponse[] = [];
const server = createServer((_request, response) => responses.push(response));
let caller: Socket;
beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  caller.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
});
afterEach(() => {
  vi.restoreAllMocks();
  caller.destroy();
  responses.length = 0;
  server.close();
});

async function receiveRequest(): Promise<Watched> {
  const response = await vi.waitUntil(() => responses[0]);
  // safe because no other fields of an exchange are used before a comment is due
  return { response, route: streamingRoute, head: [] } as unknown as Watched;
}

/** No other timer of the process has this interval. */
const intervalMs = 59_999;

it('StreamKeepAlive releases a stream when its response ends, even if the caller has disconnected before', async () => {
  const [begun, ended] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
  const listBegun = () => begun.mock.results.filter((_, call) => begun.mock.calls[call]?.[1] === intervalMs);
  const { watch } = createStreamKeepAlive(2 * intervalMs);
  const exchange = await receiveRequest();
  watch(exchange);
  const [timer, ...others] = listBegun();
  expect(others).toEqual([]);
  caller.destroy();
  await vi.waitUntil(() => exchange.response.closed);
  expect(ended).toHaveBeenCalledWith(timer?.value);
  watch(exchange);
  expect(listBegun()).toHaveLength(1);
});
