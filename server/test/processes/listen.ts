import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Accepts connections in this process and passes them on like the supervisor. Defaults to a free port. */
export async function listen(
  accept: (connection: Socket) => void,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number },
): Promise<{ port: number; close: () => void }> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept).listen(port, host);
  await once(server, 'listening');
  // safe because the server listens on TCP
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
