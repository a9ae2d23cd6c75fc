import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nobody listens on just now. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address !== 'object') throw new Error('a probe without a port');
  return address.port;
}
