import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AnswerHead } from './answer-head.ts';

const values = ['plain', 'modèle', '模型', 'two\r\nx-forged: 1', 'nul\u0000', 'del\u007f', '😀', '\ud800'];

const server = createServer((request, response) => {
  const head = new AnswerHead(response);
  head.set('x-sluice-value', values[Number(request.url?.slice(1))] ?? '');
  head.set('content-length', '0');
  head.send(200, null);
  response.end();
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

it.each(values.map((value, index) => [JSON.stringify(value), index] as const))(
  'a header with the value %s is sent in one line',
  async (_, index) => {
    // safe because the server listens on a port
    const { port } = server.address() as AddressInfo;
    const [response]: [IncomingMessage] = (await once(
      get({ port, path: `/${index}`, host: '127.0.0.1' }),
      'response',
    )) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(response.headers['x-forged']).toBeUndefined();
    const sent = response.headers['x-sluice-value'];
    expect(sent).toHaveLength(values[index]?.length ?? 0);
    expect(sent?.slice(0, 3)).toBe((values[index] ?? '').slice(0, 3).replaceAll(/[^\x20-\x7e]/g, '?'));
  },
);
