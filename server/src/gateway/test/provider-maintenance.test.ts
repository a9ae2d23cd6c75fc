import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hello } from '#test/console/gateway.ts';
import { type ScriptedInstances, startScriptedInstances } from '#test/providers/scripted-instances.ts';
import { answerWith, completionText } from '#test/providers/scripted-provider.ts';
import { readError } from '#test/requests/answers.ts';

let instances: ScriptedInstances<'first' | 'second'>;
beforeAll(async () => {
  instances = await startScriptedInstances(['first', 'second'], ['m'], { timeouts: { retriesMax: 0 } });
});
afterAll(() => instances.stop());
afterEach(async () => {
  for (const id of Object.values(instances.ids)) await instances.console.endMaintenance({ params: { id } });
});

const start = (name: 'first' | 'second', body: { until?: string; reason?: string } = {}) =>
  instances.console.startMaintenance({ params: { id: instances.ids[name] }, body });
const servedBy = async (answer: Response) => {
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Hello')]);
  const row = await instances.gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
  return row.provider_instance_name;
};
const ask = () => instances.gateway.complete({ model: 'm' });

describe('instance in maintenance', () => {
  it('an instance gets no new requests from the response of startMaintenance until maintenance ends', async () => {
    expect(await servedBy(await ask())).toBe('first');
    await start('first');
    const before = instances.providers.first.calls.length;
    expect(await servedBy(await ask())).toBe('second');
    expect(instances.providers.first.calls).toHaveLength(before);
    await instances.console.endMaintenance({ params: { id: instances.ids.first } });
    expect(await servedBy(await ask())).toBe('first');
  });

  it('an instance put in maintenance finishes started responses', async () => {
    const begun = Promise.withResolvers<() => void>();
    instances.providers.first.scripts.set('m', (response, call) => {
      begun.resolve(() => answerWith(200, completionText)(response, call));
    });
    const running = ask();
    const answer = await begun.promise;
    await start('first');
    answer();
    expect(await servedBy(await running)).toBe('first');
    instances.providers.first.scripts.delete('m');
  });

  it('an instance in maintenance still offers its models', async () => {
    await start('first');
    await start('second');
    const { apiKey, origin } = instances.gateway;
    const models = await fetch(`${origin}/api/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await models.text()).toContain('"m"');
  });

  it('an instance in maintenance accepts requests again at its end time', async () => {
    await start('first', { until: new Date(Date.now() + 700).toISOString() });
    expect(await servedBy(await ask())).toBe('second');
    await expect.poll(async () => servedBy(await ask())).toBe('first');
    const shown = (await instances.console.listLlmProviders()).find(({ id }) => id === instances.ids.first);
    expect(shown?.maintenance).toBeNull();
  });

  it('maintenance is recorded in the audit log with its reason', async () => {
    await start('first', { reason: 'new certificates' });
    const { rows } = await instances.gateway.pool.query(
      "SELECT action, after FROM audit_entries WHERE object_type = 'llm_provider' ORDER BY id DESC LIMIT 1",
    );
    expect(rows[0]).toMatchObject({
      action: 'startMaintenance',
      after: { maintenance_reason: 'new certificates' },
    });
  });
});

describe('all instances in maintenance', () => {
  const until = new Date(Date.now() + 600_000).toISOString();
  const post = (path: string, body: object) =>
    fetch(`${instances.gateway.origin}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${instances.gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('the error for a model in maintenance states the reason, when to retry, and that the request is valid', async () => {
    await start('first', { until, reason: 'new certificates' });
    await start('second');
    const answer = await ask();
    expect(answer.status).toBe(502);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(300);
    const error = await readError(answer);
    expect(error).toMatchObject({ code: 'provider_in_maintenance', type: 'overloaded_error' });
    expect(error.message).toContain(`"first", "second" in maintenance until ${until} (new certificates)`);
    expect(error.message).toContain('Your request is valid');
    const row = await instances.gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
    expect(row).toMatchObject({ status: 'error', error_code: 'provider_in_maintenance', http_status: 502 });
  });

  it.each([
    ['/v1/messages', { model: 'm', max_tokens: 9, messages: hello }, 'type'],
    ['/v1/responses', { model: 'm', input: 'Hello' }, 'error'],
    [
      '/v1beta/models/m:generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
      'error',
    ],
  ])('callers of a model in maintenance get the error in the format of %s', async (path, body, key) => {
    await start('first');
    await start('second');
    const answer = await post(path, body);
    expect(answer.status).toBe(502);
    const told = await answer.json();
    expect(told).toHaveProperty(key);
    expect(JSON.stringify(told)).toContain('in maintenance');
  });
});

it('startMaintenance rejects an end in the past', async () => {
  await expect(start('first', { until: new Date(Date.now() - 1000).toISOString() })).rejects.toMatchObject({
    status: 422,
  });
});
