import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startHttpServer } from '../../test/console-server.ts';
import { createRefusalPace, type RefusalPace } from './refusal-pace.ts';

const user = {
  userId: 7,
  tenantId: 1,
  name: 'Ada',
  email: 'ada@one.test',
  role: 'user',
  credential: { kind: 'session', sessionId: 's' },
  blockedReason: null,
} as const;
let server: RunningServer;
beforeAll(async () => {
  server = await startHttpServer({ authenticateSession: async (token) => (token === 'ada' ? user : null) });
});
afterAll(() => server.close());

/** Sends 60 requests in one write, so that all are open at once; returns their statuses and the time until the last. */
async function callAtOnce(path: string, token: string) {
  const startedMs = performance.now();
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  const line = `GET /api/v1${path} HTTP/1.1\r\nhost: sluice.test\r\nauthorization: Bearer ${token}\r\n`;
  socket.write(`${`${line}\r\n`.repeat(59)}${line}connection: close\r\n\r\n`);
  const answers = await text(socket);
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { statuses, tookMs: performance.now() - startedMs };
}

/** Errors that need no query, so a client gets thousands of them a second. */
const cheapErrors = [
  ['without a session', '/admin/users', '', 401],
  ['without the permission', '/admin/users', 'ada', 403],
  ['on an unknown path', '/nothing-here', '', 404],
  ['with invalid input', '/user/logs?limit=x', 'ada', 422],
] as const;

it.each(cheapErrors)(
  'errors %s are delayed for a caller with 60 open requests',
  async (_, path, token, status) => {
    const { statuses, tookMs } = await callAtOnce(path, token);
    expect(statuses).toEqual(Array(60).fill(status));
    expect(tookMs).toBeGreaterThanOrEqual(990);
  },
);

/** Opens requests of a user (0: nobody) from an address; returns the delay of an error of the last one. */
function open(pace: RefusalPace, count: number, { ip = '192.0.2.1', userId = 0 } = {}) {
  const principal = userId === 0 ? undefined : { ...user, userId };
  const opened = Array.from({ length: count }, () => {
    const request = { ip, principal } as FastifyRequest; // safe because the pace reads nothing else
    const raw = new EventEmitter();
    pace.enter(request, { raw } as FastifyReply); // safe because the pace reads nothing else
    return { request, close: () => void raw.emit('close') };
  });
  const last = opened.at(-1);
  return {
    delayMs: last ? pace.delayOf(last.request) : 0,
    close: () => {
      for (const { close } of opened) close();
    },
  };
}

it('createRefusalPace delays by the open requests of the same network and user, up to 2 s', () => {
  const pace = createRefusalPace();
  const { delayMs, close } = open(pace, 60);
  expect(delayMs).toBe(1_000);
  expect(open(pace, 1, { userId: 7 }).delayMs).toBe(0);
  expect(open(pace, 30, { userId: 8 }).delayMs).toBe(400);
  expect(open(pace, 10, { ip: '192.0.2.2' }).delayMs).toBe(0);
  expect(open(pace, 5_000).delayMs).toBe(2_000);
  close();
  expect(open(createRefusalPace(), 10).delayMs).toBe(0);
});

it('createRefusalPace forgets requests whose response has ended', () => {
  const pace = createRefusalPace();
  open(pace, 60).close();
  expect(open(pace, 11).delayMs).toBe(20);
});
