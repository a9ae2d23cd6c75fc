import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findFreePort } from '#test/processes/free-port.ts';
import {
  type ConnectionDispatcher,
  type ConnectionReceiver,
  createDispatcher,
} from './connection-dispatcher.ts';
import { checkListenAddress } from './listen-address.ts';
import { createOverflowAnswers } from './overflow-answers.ts';

const host = '127.0.0.1';
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

async function open(
  options: { maxWaiting?: number; maxWaitMs?: number; answerOverflow?: (connection: Socket) => void } = {},
): Promise<ConnectionDispatcher & { port: number }> {
  const dispatcher = createDispatcher({ host, port: 0, ...options });
  cleanups.push(dispatcher.close);
  return { ...dispatcher, port: await dispatcher.open() };
}

async function call({ port }: { port: number }): Promise<Socket> {
  const caller = connect(port, host).on('error', () => undefined);
  cleanups.push(() => caller.destroy());
  await once(caller, 'connect');
  return caller;
}

function createReceiver(turns: string[], name: string, take = async () => true): ConnectionReceiver {
  return {
    take(connection) {
      cleanups.push(() => connection.destroy());
      turns.push(name);
      return take();
    },
  };
}

test('the dispatcher gives connections to receivers in turn', async () => {
  const dispatcher = await open();
  const turns: string[] = [];
  dispatcher.add(createReceiver(turns, 'one'));
  dispatcher.add(createReceiver(turns, 'two'));
  for (let calls = 1; calls <= 6; calls++) {
    await call(dispatcher);
    await expect.poll(() => turns.length).toBe(calls);
  }
  expect(turns).toEqual(['one', 'two', 'one', 'two', 'one', 'two']);
});

test('the dispatcher keeps connections while there is no receiver, and passes them to the next receiver added', async () => {
  const dispatcher = await open();
  const callers = await Promise.all([call(dispatcher), call(dispatcher), call(dispatcher)]);
  const turns: string[] = [];
  dispatcher.add(createReceiver(turns, 'late'));
  await expect.poll(() => turns).toEqual(['late', 'late', 'late']);
  await Promise.all(callers.map((caller) => (caller.readableEnded ? null : once(caller.resume(), 'end'))));
});

test('the dispatcher passes a connection on if its receiver dies, and offers no more connections to the dead receiver', async () => {
  const dispatcher = await open();
  const turns: string[] = [];
  dispatcher.add(createReceiver(turns, 'dying', async () => false));
  dispatcher.add(createReceiver(turns, 'living'));
  await call(dispatcher);
  await call(dispatcher);
  await expect.poll(() => turns).toEqual(['dying', 'living', 'living']);
});

test('the dispatcher limits the number of waiting connections and how long they wait', async () => {
  const dispatcher = await open({ maxWaiting: 2, maxWaitMs: 1_000 });
  const waiting = [await call(dispatcher), await call(dispatcher)];
  const ends = waiting.map((caller) => once(caller.resume(), 'close'));
  const refused = await call(dispatcher);
  await once(refused.resume(), 'close');
  expect(waiting.map(({ closed }) => closed)).toEqual([false, false]);
  await Promise.all(ends);
});

test('the dispatcher reports to a receiver whether other connections wait', async () => {
  const dispatcher = await open({ maxWaiting: 2 });
  const first = Promise.withResolvers<boolean>();
  const told: boolean[] = [];
  dispatcher.add({
    take(connection, hasMore) {
      cleanups.push(() => connection.destroy());
      return told.push(hasMore) === 1 ? first.promise : Promise.resolve(true);
    },
  });
  for (let calls = 0; calls < 3; calls++) await call(dispatcher);
  // A connection is closed only while two other connections are waiting.
  await once((await call(dispatcher)).resume(), 'close');
  first.resolve(true);
  await expect.poll(() => told).toEqual([false, true, false]);
});

test('a closed dispatcher accepts no connections and closes the waiting ones', async () => {
  const dispatcher = await open();
  const caller = await call(dispatcher);
  dispatcher.close();
  await once(caller.resume(), 'close');
  await expect(call(dispatcher)).rejects.toThrow('ECONNREFUSED');
});

test('dispatcher.open names PORT in the error for a taken port', async () => {
  const { port } = await open();
  const taken = `port ${port} on ${host} is already in use: set PORT`;
  await expect(checkListenAddress({ host, port })).rejects.toThrow(taken);
  await expect(createDispatcher({ host, port }).open()).rejects.toThrow(taken);
});

test('dispatcher.open names HOST in the error for an address of another machine', async () => {
  const address = { host: '203.0.113.1', port: 0 };
  const words = '203.0.113.1 is not an address of this machine: set HOST to another one';
  await expect(checkListenAddress(address)).rejects.toThrow(words);
  await expect(createDispatcher(address).open()).rejects.toThrow(words);
});

test('a dispatcher that is not open rejects connections, and cannot be opened again after close', async () => {
  const port = await findFreePort();
  const dispatcher = createDispatcher({ host, port });
  dispatcher.add(createReceiver([], 'ready'));
  await expect(call({ port })).rejects.toThrow('ECONNREFUSED');
  await expect(checkListenAddress({ host, port })).resolves.toBeUndefined();
  await expect(call({ port })).rejects.toThrow('ECONNREFUSED');
  dispatcher.close();
  await expect(dispatcher.open()).rejects.toThrow('closed');
});

test('the dispatcher sends a valid 503 to connections that do not fit or wait too long', async () => {
  const answerOverflow = createOverflowAnswers();
  const { port, countShed } = await open({ maxWaiting: 1, maxWaitMs: 500, answerOverflow });
  const ask = (path: string) => fetch(`http://${host}:${port}${path}`, { method: 'POST', body: '{}' });
  const waits = ask('/api/v1/messages');
  await expect.poll(async () => (await ask('/api/v1/chat/completions')).status).toBe(503);
  for (const answer of [await waits, await ask('/api/v1/chat/completions')]) {
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({ reason: 'overloaded', error: { code: 'overloaded' } });
  }
  expect(countShed()).toBeGreaterThanOrEqual(2);
  expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200);
});
