import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '#test/processes/listen.ts';
import { type Connections, createConnections } from './connections.ts';

const host = '127.0.0.1';
const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

let server: Server;
let connections: Connections;
let port: number;
let stopListening: () => void;
let answer: RequestListener;
const callers: Socket[] = [];
beforeEach(async () => {
  answer = (_request, response) => response.end('whole');
  server = createServer((request, response) => answer(request, response));
  connections = createConnections(server);
  ({ port, close: stopListening } = await listen(connections.add, { host }));
});
afterEach(() => {
  for (const caller of callers.splice(0)) caller.destroy();
  connections.destroyAll();
  stopListening();
});

async function call(bytes = ''): Promise<Socket> {
  const caller = connect(port, host);
  callers.push(caller);
  await once(caller, 'connect');
  caller.write(bytes);
  return caller;
}

async function readAll(caller: Socket): Promise<string> {
  let text = '';
  for await (const chunk of caller) text += chunk;
  return text;
}

async function callInHand(): Promise<{ caller: Socket; finish: () => void }> {
  const { promise, resolve } = Promise.withResolvers<() => void>();
  answer = (_request, response) => {
    response.write('half, ');
    resolve(() => response.end('whole'));
  };
  const caller = await call(get);
  return { caller, finish: await promise };
}

describe('createConnections while draining', () => {
  it('drain closes idle connections immediately', async () => {
    const caller = await call(get);
    await once(caller, 'data');
    await connections.drain();
    expect(await readAll(caller)).toBe('');
  });

  it('drain finishes running responses and closes their connections despite keep-alive', async () => {
    const { caller, finish } = await callInHand();
    const drained = connections.drain();
    finish();
    expect(await readAll(caller)).toMatch(/half, [\s\S]*whole/);
    await drained;
  });

  it('drain responds to a late first request, and waits only briefly for a connection without one', async () => {
    const late = await call();
    const silent = await call();
    const accepted = Promise.withResolvers<void>();
    server.on('connection', () => accepted.resolve());
    await call();
    await accepted.promise;
    const drained = connections.drain();
    late.write(get);
    expect(await readAll(late)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await readAll(silent)).toBe('');
    await drained;
  });

  it('drain responds to every pipelined request of a connection', async () => {
    const { caller, finish } = await callInHand();
    answer = (_request, response) => response.end('second');
    const second = once(server, 'request');
    caller.write(get);
    await second;
    const drained = connections.drain();
    finish();
    expect(await readAll(caller)).toMatch(/whole[\s\S]*second/);
    await drained;
  });
});

it('a client that half-closes its connection still gets its response', async () => {
  const { caller, finish } = await callInHand();
  caller.end();
  finish();
  expect(await readAll(caller)).toContain('whole');
});
