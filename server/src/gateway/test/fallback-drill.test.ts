import { createClient, creditsRoutes, providerAccessRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ScriptedInstances, startScriptedInstances } from '#test/providers/scripted-instances.ts';
import { answerCompletion, answerWith } from '#test/providers/scripted-provider.ts';

let instances: ScriptedInstances<'down' | 'spare' | 'shaky'>;
let mara: { apiKey: string; userId: number };

const models = ['shared', 'lonely', 'ungranted', 'cooling'];
const enable = (name: 'down' | 'spare' | 'shaky', enabled_models: string[]) =>
  instances.console.updateLlmProvider({ params: { id: instances.ids[name] }, body: { enabled_models } });

beforeAll(async () => {
  instances = await startScriptedInstances(['down', 'spare', 'shaky'], models, {
    timeouts: { retriesMax: 0 },
  });
  await enable('spare', ['shared', 'ungranted']);
  await enable('shaky', ['cooling']);
  mara = await instances.gateway.seed.addPerson({ name: 'mara', role: 'user' });
  const options = { baseUrl: instances.gateway.origin, headers: instances.headers };
  const access = createClient(providerAccessRoutes, options);
  for (const [name, allowed_models] of [
    ['down', models],
    ['spare', ['shared']],
    ['shaky', ['cooling']],
  ] as const)
    await access.grantUserAccess({
      body: {
        user_id: mara.userId,
        llm_provider_id: instances.ids[name],
        allowed_models: [...allowed_models],
      },
    });
  const credits = createClient(creditsRoutes, options);
  // A request has 2 input tokens and 1 output token.
  for (const [name, rate] of [
    ['down', 1],
    ['spare', 4],
  ] as const)
    await credits.setPrice({
      body: {
        llm_provider_id: instances.ids[name],
        model: 'shared',
        price: { input: rate, output: rate },
      },
    });
}, 60_000);
afterAll(() => instances.stop());

const ask = async (model: string, apiKey = mara.apiKey) => {
  const answer = await instances.gateway.complete({ model }, { apiKey });
  await answer.text();
  return answer.status;
};
const drill = () => instances.console.drillFallbacks({ params: { id: instances.ids.down } });

it('fallback drill reports an instance without requests', async () => {
  expect(await drill()).toMatchObject({
    requests: 0,
    requests_in_all: 0,
    served: 0,
    failures: [],
    models: [],
  });
});

it('fallback drill predicts for each recent request what happens when the instance is unavailable', async () => {
  const asked = ['shared', 'shared', 'shared', 'lonely', 'lonely', 'ungranted', 'cooling'];
  for (const model of asked) expect(await ask(model)).toBe(200);
  await expect.poll(async () => (await drill()).requests).toBe(asked.length);

  instances.providers.down.scripts.set('cooling', answerWith(500, '{}'));
  instances.providers.shaky.scripts.set('cooling', answerWith(500, '{}'));
  for (let count = 0; count < 5; count++) {
    await ask('cooling');
    await ask('cooling', instances.gateway.apiKey);
  }
  instances.providers.down.scripts.set('cooling', answerCompletion());
  await expect
    .poll(async () => (await drill()).models.find(({ model }) => model === 'cooling')?.waiting)
    .toBeGreaterThan(0);

  const told = await drill();
  const played = told.requests;
  expect(told).toMatchObject({ served: 3, failed: 3, requests_in_all: played, people_in_all: 1 });
  expect(told.waiting).toBe(played - 6);
  expect(told.failures.map(({ reason, models: of }) => [reason, of])).toEqual(
    expect.arrayContaining([
      ['no_fallback', ['lonely']],
      ['not_granted', ['ungranted']],
      ['in_cooldown', ['cooling']],
    ]),
  );
  expect(told.models.find(({ model }) => model === 'shared')).toMatchObject({
    requests: 3,
    failed: 0,
    fallbacks: ['spare'],
  });
  expect(told.people).toEqual([expect.objectContaining({ user_id: mara.userId, failed: 3 })]);
  // Three requests with three tokens each, at $1 and at $4 per million.
  expect(told.cost).toEqual({ before: 0.000009, after: 0.000036, unpriced: 0 });

  await instances.console.startMaintenance({ params: { id: instances.ids.down }, body: {} });
  expect(await ask('shared')).toBe(200);
  expect(await ask('lonely')).toBe(502);
  expect(await ask('ungranted')).toBe(502);
  expect(await ask('cooling')).toBe(502);
});

it('fallback drill returns 404 for an unknown instance', async () => {
  await expect(instances.console.drillFallbacks({ params: { id: 2_147_483_647 } })).rejects.toMatchObject({
    status: 404,
  });
});
