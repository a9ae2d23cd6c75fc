import { once } from 'node:events';
import { createServer } from 'node:net';

type Address = { host: string; port: number };

/**
 * The port to listen on: the given one, or a free one for 0, which every later worker must share. Fails with what to
 * change when it cannot be listened on; asked before anything slow, or anything shown only once, is started.
 */
export async function findListenPort({ host, port }: Address): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw explainListenError(error, { host, port });
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : port;
}

/** Says which variable to change; any other error comes back as it is. */
export function explainListenError(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new Error(`port ${port} on ${host} is taken: set PORT to another port`);
  if (code === 'EACCES') return new Error(`port ${port} needs more rights: set PORT to one above 1023`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(`${host} is not an address of this machine: set HOST to another one`);
  }
  return error;
}
