import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerCompletion,
  answerWith,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readError } from '#test/requests/answers.ts';

let first: ScriptedProvider;
let second: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  [first, second] = await Promise.all([startScriptedProvider(), startScriptedProvider()]);
  gateway = await startGateway({
    async seed(seed) {
      const add = (name: string, models: string[], { origin }: ScriptedProvider) =>
        seed.addInstance({ name, models, endpoint: `${origin}/v1` });
      await add('first', ['flaky', 'sick', 'short'], first);
      await add('second', ['short'], second);
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

const complete = async (model: string) => {
  const answer = await gateway.complete({ model });
  return { answer, row: () => gateway.waitForRow(answer.headers.get('x-request-id') ?? '') };
};

it('a transient fault only delays the response, and the row records it', async () => {
  const scripts: Script[] = [answerWith(500, '{}'), answerCompletion()];
  first.scripts.set('flaky', (...given) => scripts.shift()?.(...given));
  const { answer, row } = await complete('flaky');
  expect(answer.status).toBe(200);
  expect(await row()).toMatchObject({
    status: 'success',
    attempts: 2,
    completion_tokens: 1,
    error_code: null,
    provider_calls: [
      {
        provider_instance_name: 'first',
        provider_key: 'custom',
        model: 'flaky',
        started_ms: expect.any(Number),
        duration_ms: expect.any(Number),
        http_status: 500,
        error_code: 'upstream_error',
        cause: null,
        message: 'The provider "first" failed: HTTP 500',
      },
      expect.objectContaining({ provider_instance_name: 'first', http_status: 200, error_code: null }),
    ],
  });
});

it('a provider that keeps failing is no longer called, and the caller gets a retry delay', async () => {
  first.scripts.set('sick', answerWith(500, '{}', { 'x-should-retry': 'false' }));
  for (let count = 0; count < 10; count++) expect((await complete('sick')).answer.status).toBe(502);
  const { answer, row } = await complete('sick');
  expect([answer.status, (await readError(answer)).code]).toEqual([502, 'upstream_unavailable']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await row()).toMatchObject({
    status: 'error',
    http_status: 502,
    error_code: 'upstream_unavailable',
    attempts: 0,
    provider_instance_name: 'first',
    model: 'sick',
  });
  // Each kind of failure is listed once, however often it occurred.
  expect(gateway.providerFailures).toMatchObject([
    { msg: 'a provider failed', provider: 'custom', model: 'flaky', httpStatus: 500, code: 'upstream_error' },
    { msg: 'a provider failed', model: 'sick', httpStatus: 500, phase: 'before_first_byte' },
  ]);
  // Failures for a single user are not reported as a provider problem.
  expect(gateway.problems).toEqual([]);
});

it('a request too long for one instance is sent to the next, and is rejected as too long by the last one', async () => {
  const refusal = answerWith(400, '{"error":{"message":"too long","code":"context_length_exceeded"}}');
  first.scripts.set('short', refusal);
  const served = await complete('short');
  expect(served.answer.status).toBe(200);
  expect(await served.row()).toMatchObject({ attempts: 2, provider_instance_name: 'second' });
  second.scripts.set('short', refusal);
  const refused = await complete('short');
  expect([refused.answer.status, (await readError(refused.answer)).code]).toEqual([
    400,
    'context_length_exceeded',
  ]);
});
