import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { type ScriptedProvider, startScriptedProvider } from '#test/providers/scripted-provider.ts';
import { readError } from '#test/requests/answers.ts';

let gateway: TestGateway;
let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    // Bounds a loop that nothing else would stop.
    env: { SLUICE_CONCURRENCY: '40' },
    seed: (seed) => seed.addInstance({ name: 'outside', models: ['m'], endpoint: `${provider.origin}/v1` }),
  });
  const own = { endpoint: `${gateway.origin}/api/v1`, providerApiKey: gateway.apiKey };
  await gateway.seed.addInstance({ name: 'self', models: ['round'], ...own });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(() => {
  provider.calls.length = 0;
});

const authorization = () => `Bearer ${gateway.apiKey}`;
async function models(): Promise<{ id: string }[]> {
  const answer = await fetch(`${gateway.origin}/api/v1/models`, {
    headers: { authorization: authorization() },
  });
  const { data } = (await answer.json()) as { data: { id: string }[] }; // safe because the response is a list of models
  return data;
}

it('an instance that points back to the gateway causes only two requests and a clear error', async () => {
  await expect.poll(async () => (await models()).some(({ id }) => id === 'round')).toBe(true);
  const answer = await gateway.complete({ model: 'round' });
  expect(answer.status).toBe(502);
  expect((await readError(answer)).message).toMatch(/"self" failed: .*points back to it/);
  const own = await gateway.waitForRow(answer.headers.get('x-request-id')!);
  expect(own).toMatchObject({ error_code: 'upstream_error', attempts: 1 });
  await expect.poll(() => gateway.readRows().then(({ length }) => length)).toBe(2);
  const rows = await gateway.readRows();
  expect(rows.filter(({ error_code }) => error_code === 'request_loop')).toMatchObject([
    { status: 'refused', http_status: 508, attempts: 0 },
  ]);
});

it('a provider call lists all previous installations, and a request that already lists this one is rejected', async () => {
  const other = 'fedcba9876543210';
  const answer = await gateway.complete({ model: 'm' }, { headers: { 'x-sluice-hops': other } });
  expect(answer.status).toBe(200);
  const hops = String(provider.calls[0]?.headers['x-sluice-hops']);
  expect(hops).toMatch(new RegExp(`^${other},[0-9a-f]{16}$`));
  const again = await gateway.complete({ model: 'm' }, { headers: { 'x-sluice-hops': hops } });
  expect([again.status, again.headers.get('x-should-retry')]).toEqual([508, 'false']);
  expect(await readError(again)).toMatchObject({ code: 'request_loop' });
  expect(provider.calls).toHaveLength(1);
});
