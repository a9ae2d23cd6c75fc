import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** TCP listener for tests that sends exactly the given bytes, whether or not they are valid HTTP. */
export interface RawServer {
  port: number;
  connections: Socket[];
  close(): Promise<void>;
}

/** `onRequest` is called with the text of each complete request. By default, the server never responds. */
export async function listenRaw(
  onRequest: (socket: Socket, request: string) => void = () => {},
  host = '127.0.0.1',
): Promise<RawServer> {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const headEnd = received.indexOf('\r\n\r\n');
      const bodyLength = Number(/^content-length: (\d+)/im.exec(received)?.[1] ?? 0);
      if (headEnd === -1 || received.length < headEnd + 4 + bodyLength) return;
      const request = received;
      received = '';
      onRequest(socket, request);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    // Safe because a listening TCP server has an address with a port.
    port: (server.address() as AddressInfo).port,
    connections,
    async close() {
      for (const socket of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
