import { once } from 'node:events';
import { connect, createServer } from 'node:net';

interface Address {
  host: string;
  port: number;
}

const firstUnprivilegedPort = 1_024;
const connectMs = 1_000;

/**
 * Rejects if the address is not available. Does not listen on the real port, since load balancers would treat an open
 * port as a ready node.
 */
export async function checkListenAddress({ host, port }: Address): Promise<void> {
  try {
    await listenOnce({ host, port: 0 });
    if (port === 0) return;
    if (await isListenedOn({ host, port })) throw Object.assign(new Error(), { code: 'EADDRINUSE' });
    if (port < firstUnprivilegedPort) await listenOnce({ host, port });
  } catch (error) {
    throw explainListenError(error, { host, port });
  }
}

async function listenOnce(address: Address): Promise<void> {
  const server = createServer();
  await once(server.listen(address), 'listening');
  server.close();
}

function isListenedOn(address: Address): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(address);
  socket.setTimeout(connectMs, () => resolve(false));
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** Converts an error of listening to one that names the variable to change. Returns any other error unchanged. */
export function explainListenError(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new Error(`port ${port} on ${host} is already in use: set PORT to another port`);
  if (code === 'EACCES')
    return new Error(`port ${port} requires elevated privileges: set PORT to a port above 1023`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(`${host} is not an address of this machine: set HOST to another one`);
  }
  return error;
}
