import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { type RunningServer, startHttpServer } from '#test/console/console-server.ts';

const lines: Record<string, unknown>[] = [];
let server: RunningServer;
beforeAll(async () => {
  const log = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  server = await startHttpServer({
    log,
    authenticateSession: async (token) =>
      token === 'of-a-user'
        ? {
            userId: 7,
            tenantId: 1,
            name: 'Ada',
            email: 'ada@one.test',
            role: 'user',
            credential: { kind: 'session', sessionId: 's' },
            blockedReason: null,
          }
        : null,
  });
});
afterAll(() => server.close());

const ask = async (path: string, token: string) => {
  lines.length = 0;
  const answer = await fetch(`${server.origin}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, id: answer.headers.get('x-request-id') };
};

it.each([
  ['/admin/users/12?search=canary', 'canary', 401, null],
  ['/admin/users/12?search=canary', 'of-a-user', 403, 7],
] as const)(
  'a rejection logs user, reason and origin: %s with the token %s',
  async (path, token, status, userId) => {
    const { id, ...answer } = await ask(path, token);
    expect(answer.status).toBe(status);
    expect(lines).toMatchObject([
      {
        level: 'info',
        msg: 'a console request was refused',
        requestId: id,
        status,
        method: 'GET',
        path: '/api/v1/admin/users/:id',
        address: '127.0.0.1',
        userId,
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  },
);

it('a request for an unknown path is not logged as a rejection', async () => {
  await ask('/nothing-here', 'of-a-user');
  expect(lines).toEqual([]);
});

it('30 rejections of one client are folded into one line', async () => {
  lines.length = 0;
  for (let call = 0; call < 30; call++)
    await fetch(`${server.origin}/api/v1/admin/teams?page=${call}`, {
      headers: { authorization: 'Bearer no' },
    });
  expect(lines).toHaveLength(1);
});
