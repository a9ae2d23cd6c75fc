import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../test/listen.ts';
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

/** A caller whose request is being answered, and how to finish the answer. */
async function callInHand(): Promise<{ caller: Socket; finish: () => void }> {
  const { promise, resolve } = Promise.withResolvers<() => void>();
  answer = (_request, response) => {
    response.write('half, ');
    resolve(() => response.end('whole'));
  };
  const caller = await call(get);
  return { caller, finish: await promise };
}

describe('a server that drains', () => {
  it('ends at once when its connections are idle', async () => {
    const caller = await call(get);
    await once(caller, 'data');
    await connections.drain();
    expect(await readAll(caller)).toBe('');
  });

  it('finishes the answer in hand and ends the connection, though its caller would keep it', async () => {
    const { caller, finish } = await callInHand();
    const drained = connections.drain();
    finish();
    expect(await readAll(caller)).toMatch(/half, [\s\S]*whole/);
    await drained;
  });

  it('answers a connection that asks now for the first time, and does not wait long for one that never asks', async () => {
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

  it('answers every request of a connection that has sent several', async () => {
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

it('a caller that has said all it will say still gets its answer', async () => {
  const { caller, finish } = await callInHand();
  caller.end();
  finish();
  expect(await readAll(caller)).toContain('whole');
});
