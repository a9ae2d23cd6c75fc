import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const tryEveryMs = 20;

export async function untilOrigin(child: ChildProcess): Promise<string> {
  const [message]: { origin: string }[] = await once(child, 'message');
  if (!message) throw new Error('the message contains no origin');
  return message.origin;
}

export function untilPrinted(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    let printed = '';
    const read = (text: string) => {
      printed += text;
      const match = pattern.exec(printed);
      if (!match) return;
      child.stdout?.off('data', read);
      resolve(match);
    };
    child.stdout?.on('data', read);
  });
}

export async function untilListening(port: number): Promise<void> {
  while (!(await takesConnections(port))) await delay(tryEveryMs);
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no TCP port is free');
  return address.port;
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
