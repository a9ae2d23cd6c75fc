import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findListenPort } from './listen-address.ts';

const host = '127.0.0.1';

test('port 0 becomes a free port, which is free again afterwards', async () => {
  const port = await findListenPort({ host, port: 0 });
  expect(port).toBeGreaterThan(0);
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  await expect(findListenPort({ host, port })).rejects.toThrow(`port ${port} on ${host} is taken: set PORT`);
  server.close();
});

test('an address of another machine is told with the variable to change', async () => {
  await expect(findListenPort({ host: '203.0.113.1', port: 0 })).rejects.toThrow(
    '203.0.113.1 is not an address of this machine: set HOST to another one',
  );
});
