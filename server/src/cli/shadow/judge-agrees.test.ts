import { readFile } from 'node:fs/promises';
import { openaiError } from '@sluice/contract';
import { drizzle } from 'drizzle-orm/node-postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJudge, type ShadowedRequest } from '#gateway/shadow/judge.ts';
import { MemoryAllowances } from '#gateway/shadow/memory-allowances.ts';
import { createKeyOpener } from '#gateway/snapshot/key-opener.ts';
import { createPrincipals } from '#gateway/snapshot/principals.ts';
import { createSnapshot } from '#gateway/snapshot/snapshot.ts';
import { loadModel } from '#intent/model.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { addWorld, type GeneratedWorld, worldArbitrary, worldsByOutcome } from '#test/access/worlds.ts';
import { masterSecret, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { isFullSize } from '#test/load/sample.ts';
import { readAllowances } from './store.ts';

const worldsCount = isFullSize ? 300 : 60;
const runSeed = Math.floor(Math.random() * 2 ** 31);

type Person = Awaited<ReturnType<typeof addWorld>>;
let gateway: TestGateway;
const worlds: { world: GeneratedWorld; person: Person }[] = [];

beforeAll(async () => {
  gateway = await startGateway({
    seed: async (seed) => {
      await seed.pool.query(
        `INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('later', 'Later', 'x')`,
      );
      const random = fc.sample(worldArbitrary, { numRuns: worldsCount, seed: runSeed });
      for (const [index, world] of [...worldsByOutcome.values(), ...random].entries())
        worlds.push({ world, person: await addWorld(seed, world, index) });
    },
  });
});
afterAll(() => gateway.stop());

async function openJudges() {
  const keyring = createKeyring(masterSecret);
  const log = createLogger('silent');
  const snapshot = createSnapshot(gateway.pool, createKeyOpener(keyring, log));
  await snapshot.load();
  const system = drizzle({ client: gateway.pool });
  const clock = { nowMs: Date.now() };
  const principals = createPrincipals(snapshot, keyring, () => clock.nowMs, { read: async () => undefined });
  const intentModel = loadModel(await readFile(new URL('../../intent/model.bin', import.meta.url)));
  return async (tenantId: number) =>
    createJudge({
      tenantId,
      snapshot,
      principals,
      allowances: new MemoryAllowances(await readAllowances(system, tenantId, true)),
      intentModel,
      tokenCounter: { count: async () => null, close: async () => undefined },
      bodyLimitBytes: 1024 * 1024,
      sandboxOrigin: gateway.sandbox.origin,
      continuesScores: true,
      clock,
    });
}

const toRequest = (model: string, apiKey: string): ShadowedRequest => ({
  receivedAtMs: Date.now(),
  path: '/v1/chat/completions',
  headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  keyDigest: null,
  address: '127.0.0.1',
  body: Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] })),
  hasPrompt: true,
  usage: null,
});

it(`the judge returns the error codes of the gateway in ${worldsCount} random worlds (seed ${runSeed})`, async () => {
  const openJudge = await openJudges();
  const verdicts: (string | null)[] = [];
  const answers: (string | null)[] = [];
  for (const { world, person } of worlds) {
    const judge = await openJudge(person.tenantId);
    const verdict = await judge(toRequest(world.asked, person.apiKey));
    verdicts.push(verdict?.errorCode ?? null);
    const response = await gateway.complete({ model: world.asked }, { apiKey: person.apiKey });
    const answer = await response.json();
    answers.push(response.status === 200 ? null : String(openaiError.parse(answer).error.code));
  }
  expect(verdicts).toEqual(answers);
  expect(verdicts).toEqual(expect.arrayContaining([...worldsByOutcome.keys()]));
}, 120_000);

it('the judge rejects the key of another tenant as invalid', async () => {
  const openJudge = await openJudges();
  const [one, other] = worlds;
  const judge = await openJudge(one!.person.tenantId);
  expect(await judge(toRequest('sandbox-normal', other!.person.apiKey))).toMatchObject({
    errorCode: 'invalid_api_key',
    userId: null,
  });
});

it('the judge writes no leases and no amounts of allowances', async () => {
  const openJudge = await openJudges();
  const { person } = worlds[0]!;
  const judge = await openJudge(person.tenantId);
  const count = async () =>
    (
      await gateway.pool.query(
        'SELECT (SELECT count(*) FROM leases) AS leases, (SELECT sum(settled + leased) FROM allowances) AS amounts',
      )
    ).rows;
  await gateway.drain();
  const before = await count();
  for (let index = 0; index < 5; index++) await judge(toRequest('sandbox-normal', person.apiKey));
  expect(await count()).toEqual(before);
});
