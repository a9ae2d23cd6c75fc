import { openaiError, providerAccessRoutes } from '@sluice/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProviderAccessHandlers } from '#console/provider-access/routes.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createCircuitBreaker } from '#upstream/circuit-breaker.ts';
import { createTestConsole } from '../console/console.ts';
import { masterSecret, startGateway, type TestGateway } from '../console/gateway.ts';
import { isFullSize } from '../load/sample.ts';
import { addWorld, type GeneratedWorld, worldArbitrary, worldsByOutcome } from './worlds.ts';

const worldsCount = isFullSize ? 500 : 250;
const atOnce = 10;
const runSeed = Math.floor(Math.random() * 2 ** 31);

let gateway: TestGateway;
const worlds: { world: GeneratedWorld; person: Awaited<ReturnType<typeof addWorld>> }[] = [];

beforeAll(async () => {
  gateway = await startGateway({
    seed: async (seed) => {
      await seed.pool.query(`
        UPDATE provider_registry SET is_active = false WHERE provider_key = 'groq';
        INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('later', 'Later', 'x')`);
      const random = fc.sample(worldArbitrary, { numRuns: worldsCount, seed: runSeed });
      await inTurns(
        [...worldsByOutcome.values(), ...random].map((world, index) => [index, world] as const),
        async ([index, world]) => {
          worlds.push({ world, person: await addWorld(seed, world, index) });
        },
      );
    },
  });
});
afterAll(() => gateway.stop());

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const workers = Array.from({ length: atOnce }, async () => {
    for (const item of waiting) await work(item);
  });
  await Promise.all(workers);
}

async function askGateway({ world, person }: (typeof worlds)[number]): Promise<string | null> {
  const response = await gateway.complete({ model: world.asked }, { apiKey: person.apiKey });
  const body = await response.json();
  return response.status === 200 ? null : String(openaiError.parse(body).error.code);
}

it(`explainAccess agrees with the gateway in ${worldsCount} random worlds (seed ${runSeed})`, async () => {
  const handlers = createProviderAccessHandlers({
    keyring: createKeyring(masterSecret),
    circuits: createCircuitBreaker({ clock: Date.now }),
  });
  const asConsole = createTestConsole(gateway.pool, providerAccessRoutes, handlers);
  const seen = new Set<string | null>();
  await inTurns(worlds, async ({ world, person }) => {
    const code = await askGateway({ world, person });
    const principal = { ...person, role: 'admin', blockedReason: null } as const;
    const query = { user_id: person.userId, model: world.asked };
    const explained = await asConsole({ principal }).explainAccess({ query });
    expect(
      { is_allowed: explained.is_allowed, error_code: explained.error_code },
      JSON.stringify({ world, explained }, null, 2),
    ).toEqual({ is_allowed: code === null, error_code: code });
    const refusing = explained.rules.findIndex(({ outcome }) => outcome === 'refuses');
    const expected = explained.rules.map((_, index) => {
      if (refusing === -1 || index < refusing) return 'passes';
      return index === refusing ? 'refuses' : 'not_asked';
    });
    expect(explained.rules.map(({ outcome }) => outcome)).toEqual(expected);
    expect(explained.rules.every(({ detail }) => detail !== '')).toBe(true);
    seen.add(code);
  });
  expect([...seen]).toEqual(expect.arrayContaining([...worldsByOutcome.keys()]));
}, 300_000);
