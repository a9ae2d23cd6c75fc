import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { deletePreviousProviderKeys } from '#jobs/delete-old-rows.ts';
import { createLogger } from '#platform/logger.ts';
import { type ScriptedInstances, startScriptedInstances } from '#test/providers/scripted-instances.ts';
import { completionText } from '#test/providers/scripted-provider.ts';

let instances: ScriptedInstances<'lab'>;
let valid: string[] = [];
let used: string[] = [];
beforeAll(async () => {
  instances = await startScriptedInstances(['lab'], ['m'], { timeouts: { retriesMax: 0 } });
});
afterAll(() => instances.stop());

const call = () => ({ params: { id: instances.ids.lab } });
const rotate = (api_key: string, overlap_hours?: number) =>
  instances.console.rotateLlmProviderKey({
    ...call(),
    body: { api_key, ...(overlap_hours !== undefined && { overlap_hours }) },
  });
const find = async () =>
  (await instances.console.listLlmProviders()).find(({ id }) => id === instances.ids.lab);
const sealed = async () => {
  const { rows } = await instances.gateway.pool.query(
    'SELECT sealed_api_key, sealed_former_api_key, former_api_key_expires_at FROM llm_providers WHERE id = $1',
    [instances.ids.lab],
  );
  return rows[0];
};
const ask = async () => {
  used = [];
  const answer = await instances.gateway.complete({ model: 'm' });
  await answer.text();
  return { status: answer.status, used };
};
const erased = { sealed_former_api_key: null, former_api_key_expires_at: null };

beforeEach(async () => {
  instances.providers.lab.script = (response, { headers }) => {
    const key = String(headers.authorization).replace('Bearer ', '');
    used.push(key);
    const isTaken = valid.includes(key);
    response.writeHead(isTaken ? 200 : 401, { 'content-type': 'application/json' });
    response.end(isTaken ? completionText : '{"error":{"message":"bad key"}}');
  };
  valid = ['former'];
  await rotate('former', 0);
});

describe('key overlap', () => {
  it('during a key overlap only the new key is used while the provider accepts it', async () => {
    await rotate('new');
    valid = ['former', 'new'];
    expect(await ask()).toEqual({ status: 200, used: ['new'] });
    const overlap = (await find())?.key_overlap;
    expect(Date.parse(overlap?.ends_at ?? '')).toBeGreaterThan(Date.now() + 23.9 * 3_600_000);
    expect(overlap?.new_key_refused_at).toBeNull();
  });

  it('during a key overlap the previous key is used if the provider rejects the new one, and this is reported', async () => {
    await rotate('new', 1);
    expect(await ask()).toEqual({ status: 200, used: ['new', 'former'] });
    await expect.poll(async () => (await find())?.key_overlap?.new_key_refused_at).toBeTruthy();
    // A rejection of the first rotation's key must not be shown for the next rotation.
    await rotate('newer', 1);
    expect((await find())?.key_overlap?.new_key_refused_at).toBeNull();
  });

  it('a rotation deletes the key that preceded the previous key', async () => {
    await rotate('new', 1);
    await rotate('newer', 1);
    expect(await ask()).toEqual({ status: 502, used: ['newer', 'new'] });
  });

  it('ending a key overlap deletes the previous key from the row, and no request uses it again', async () => {
    await rotate('new', 1);
    expect((await sealed()).sealed_former_api_key).toBeInstanceOf(Buffer);
    expect((await instances.console.endKeyOverlap(call())).key_overlap).toBeNull();
    expect(await sealed()).toMatchObject(erased);
    expect(await ask()).toEqual({ status: 502, used: ['new'] });
  });

  it('an expired key overlap stops use of the previous key, and the job deletes it from the row', async () => {
    await rotate('new', 1);
    await instances.gateway.pool.query(
      "UPDATE llm_providers SET former_api_key_expires_at = now() + interval '500 ms' WHERE id = $1",
      [instances.ids.lab],
    );
    await expect.poll(async () => (await ask()).used).toEqual(['new']);
    const database = createSystemDatabase(instances.gateway.pool);
    await database.transaction(async (tx) => {
      await deletePreviousProviderKeys.run(tx, createLogger('silent'));
    });
    expect(await sealed()).toMatchObject(erased);
    expect((await find())?.key_overlap).toBeNull();
  });

  it.each([
    ['another key replaces both', { api_key: 'other' }],
    ['another endpoint needs another key', { api_key: 'other', api_endpoint: 'http://127.0.0.1:8080/v1' }],
  ])('a change of the instance ends its key overlap: %s', async (_, body) => {
    const { api_endpoint } = (await find()) ?? {};
    await rotate('new', 1);
    await instances.console.updateLlmProvider({ ...call(), body });
    expect(await sealed()).toMatchObject(erased);
    await instances.console.updateLlmProvider({ ...call(), body: { api_key: 'former', api_endpoint } });
  });
});

it('a rotation without an overlap deletes the previous key immediately', async () => {
  await rotate('new', 0);
  expect(await sealed()).toMatchObject(erased);
});
