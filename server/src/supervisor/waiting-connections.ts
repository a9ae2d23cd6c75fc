import type { Socket } from 'node:net';

const lookEveryMs = 10;

/** Connections in the order in which they came; those that wait for too long go to `onTooLong`. */
export function createWaitingConnections(firstMaxWaitMs: number, onTooLong: (connection: Socket) => void) {
  const since = new Map<Socket, number>();
  let maxWaitMs = firstMaxWaitMs;
  let timer: NodeJS.Timeout | null = null;
  const remove = (connection: Socket) => {
    connection.off('close', leave);
    return since.delete(connection);
  };
  function leave(this: Socket) {
    remove(this);
  }
  const look = () => {
    const longestMs = performance.now() - maxWaitMs;
    for (const [connection, sinceMs] of since) {
      if (sinceMs > longestMs) break;
      remove(connection);
      onTooLong(connection);
    }
    if (since.size > 0) return;
    clearInterval(timer ?? undefined);
    timer = null;
  };
  return {
    count: () => since.size,
    add(connection: Socket, sinceMs: number): void {
      since.set(connection, sinceMs);
      connection.once('close', leave);
      timer ??= setInterval(look, lookEveryMs);
    },
    takeFirst(): [Socket, number] | null {
      const [first = null] = since;
      if (first) remove(first[0]);
      return first;
    },
    limit(ms: number): void {
      maxWaitMs = ms;
    },
    close(): void {
      for (const connection of since.keys()) connection.destroy();
      since.clear();
    },
  };
}
