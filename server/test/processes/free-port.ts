import { once } from 'node:events';
import { createServer } from 'node:net';

// Lowest port. The range is below those for outgoing connections and listeners at port 0, so that neither uses a port
// from it.
const firstPort = 20_000;
const portCount = 12_000;
let tried = Math.floor(Math.random() * portCount);

/** Port on which nothing listens, since only root may listen on it. */
export const closedPort = 2;

/** Returns a different port on each call. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = firstPort + (tried++ % portCount);
    const server = createServer().listen(port, host);
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
