import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Steps } from '#platform/steps.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { readEmbeddings } from '#protocols/openai-chat/embeddings-caller.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { type RunningServer, startWorker, testKeyring } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { consoleBodies, gatewayBodies, type HostileBody } from '#test/requests/hostile-bodies.ts';
import { matchRoute } from '../routes.ts';

const mebibyte = 1024 * 1024;
/** `npm run proofs bodies` measures all bodies, at the maximum body size. */
const sampled = (bodies: readonly HostileBody[], every: number) =>
  bodies.filter((_, index) => index % every === 0);

function reckon(steps: Steps<unknown>): { wholeMs: number; longestMs: number } {
  let [wholeMs, longestMs] = [0, 0];
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { wholeMs, longestMs };
    wholeMs += value / 1_000;
    longestMs = Math.max(longestMs, value / 1_000);
  }
}

function readSteps({ path }: HostileBody, body: Buffer): Steps<unknown> {
  const match = matchRoute('POST', path);
  if (match.kind !== 'route') throw new Error(`${path} is no route`);
  const { operation, protocol } = match.route;
  return operation === 'embeddings'
    ? readEmbeddings(body)
    : protocol.caller.readRequest(body, { model: match.parameter, isStream: false });
}

describe('hostile bodies at the gateway', () => {
  it.each(sampled(gatewayBodies, 7))(
    'hostile body of 10 MiB: $name is read in steps of less than 50 ms, in less than 30 ns per byte',
    (shape) => {
      const body = shape.make(10 * mebibyte);
      expect(body.length).toBeGreaterThan(9 * mebibyte);
      expect(body.length).toBeLessThanOrEqual(10 * mebibyte);
      const { wholeMs, longestMs } = reckon(readSteps(shape, body));
      expect(wholeMs * 1e6).toBeLessThan(30 * body.length);
      expect(longestMs).toBeLessThan(50);
    },
  );
});

describe('hostile bodies at the console', () => {
  let database: TestDatabase;
  let worker: RunningServer;
  let authorization: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    const tenantId = await addTenant(database.pool, 'One');
    const { userId } = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
    const claims = { userId, sessionId: crypto.randomUUID(), tokenVersion: 1 };
    authorization = `Bearer ${await signSessionToken(testKeyring.sessionKey, claims, Date.now())}`;
    worker = await startWorker({ connectionString: database.connectionString });
  });
  afterAll(async () => {
    await worker.close();
    await database.close();
  });

  it.each(sampled(consoleBodies, 5))(
    'hostile body at the console: $name is rejected',
    async ({ path, isAnonymous, make }) => {
      const response = await fetch(worker.origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(!isAnonymous && { authorization }) },
        body: make(mebibyte),
      });
      await response.arrayBuffer();
      expect(isAnonymous ? [413] : [400, 404, 413, 422]).toContain(response.status);
    },
  );
});
