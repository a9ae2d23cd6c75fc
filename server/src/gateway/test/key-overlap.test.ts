import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { eraseFormerProviderKeys } from '#jobs/erase-former-provider-keys.ts';
import { createLogger } from '#platform/logger.ts';
import { type ScriptedInstances, startScriptedInstances } from '../../../test/scripted-instances.ts';
import { completionText } from '../../../test/scripted-provider.ts';

let instances: ScriptedInstances<'lab'>;
/** The keys that the provider takes. */
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

describe('while a former key overlaps with the new one', () => {
  it('only the new key is used, as long as the provider takes it', async () => {
    await rotate('new');
    valid = ['former', 'new'];
    expect(await ask()).toEqual({ status: 200, used: ['new'] });
    const overlap = (await find())?.key_overlap;
    expect(Date.parse(overlap?.ends_at ?? '')).toBeGreaterThan(Date.now() + 23.9 * 3_600_000);
    expect(overlap?.new_key_refused_at).toBeNull();
  });

  it('the former key stands in when the provider refuses the new one, which is told', async () => {
    await rotate('new', 1);
    expect(await ask()).toEqual({ status: 200, used: ['new', 'former'] });
    await expect.poll(async () => (await find())?.key_overlap?.new_key_refused_at).toBeTruthy();
    // What was told of one rotation says nothing of the next.
    await rotate('newer', 1);
    expect((await find())?.key_overlap?.new_key_refused_at).toBeNull();
  });

  it('the key before the former one is gone', async () => {
    await rotate('new', 1);
    await rotate('newer', 1);
    expect(await ask()).toEqual({ status: 502, used: ['newer', 'new'] });
  });

  it('ending it erases the former key from the row, and no request uses it again', async () => {
    await rotate('new', 1);
    expect((await sealed()).sealed_former_api_key).toBeInstanceOf(Buffer);
    expect((await instances.console.endKeyOverlap(call())).key_overlap).toBeNull();
    expect(await sealed()).toMatchObject(erased);
    expect(await ask()).toEqual({ status: 502, used: ['new'] });
  });

  it('when its time is over the gate uses it no longer, and the job erases it from the row', async () => {
    await rotate('new', 1);
    await instances.gateway.pool.query(
      "UPDATE llm_providers SET former_api_key_expires_at = now() + interval '500 ms' WHERE id = $1",
      [instances.ids.lab],
    );
    await expect.poll(async () => (await ask()).used).toEqual(['new']);
    const database = createSystemDatabase(instances.gateway.pool);
    await database.transaction(async (tx) => {
      await eraseFormerProviderKeys.run(tx, createLogger('silent'));
    });
    expect(await sealed()).toMatchObject(erased);
    expect((await find())?.key_overlap).toBeNull();
  });

  it.each([
    ['another key replaces both', { api_key: 'other' }],
    ['another endpoint needs another key', { api_key: 'other', api_endpoint: 'http://127.0.0.1:8080/v1' }],
  ])('when the instance is changed, %s', async (_, body) => {
    const { api_endpoint } = (await find()) ?? {};
    await rotate('new', 1);
    await instances.console.updateLlmProvider({ ...call(), body });
    expect(await sealed()).toMatchObject(erased);
    await instances.console.updateLlmProvider({ ...call(), body: { api_key: 'former', api_endpoint } });
  });
});

it('without an overlap the former key is erased at once', async () => {
  await rotate('new', 0);
  expect(await sealed()).toMatchObject(erased);
});
