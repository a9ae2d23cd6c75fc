import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startHttpServer } from '#test/console/console-server.ts';

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

async function callAtOnce(path: string, token: string, count: number) {
  const startedMs = performance.now();
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  const line = `GET /api/v1${path} HTTP/1.1\r\nhost: sluice.test\r\nauthorization: Bearer ${token}\r\n`;
  socket.write(`${`${line}\r\n`.repeat(count - 1)}${line}connection: close\r\n\r\n`);
  const answers = await text(socket);
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { statuses, tookMs: performance.now() - startedMs };
}

/** Errors that require no query, so that a client can cause thousands per second. */
const cheapErrors = [
  ['without a session', '/admin/users', '', 401],
  ['without the permission', '/admin/users', 'ada', 403],
  ['on an unknown path', '/nothing-here', '', 404],
  ['with invalid input', '/user/logs?limit=x', 'ada', 422],
] as const;

it.each(cheapErrors)(
  'errors %s are delayed for a caller that retries immediately',
  async (_, path, token, status) => {
    const { statuses, tookMs } = await callAtOnce(path, token, 1_400);
    expect(statuses).toEqual(Array(1_400).fill(status));
    // The first 1,000 are sent immediately, the rest at 200 per second.
    expect(tookMs).toBeGreaterThanOrEqual(1_900);
  },
);
