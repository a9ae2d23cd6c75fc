import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedInstances, startScriptedInstances } from '#test/providers/scripted-instances.ts';
import {
  answerCompletion,
  answerStream,
  answerWith,
  type Script,
} from '#test/providers/scripted-provider.ts';
import { readError, readEvents } from '#test/requests/answers.ts';

let instances: ScriptedInstances<'slow' | 'patient'>;
beforeAll(async () => {
  instances = await startScriptedInstances(['slow', 'patient'], ['m'], { timeouts: { retriesMax: 0 } });
});
afterAll(() => instances.stop());

const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';
const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

const lateMs = 1_600;
const late =
  (script: Script): Script =>
  (response, call) =>
    setTimeout(() => script(response, call), lateMs).unref();
const silentMidway: Script = (response, call) => {
  answerStream(chunk, { end: false })(response, call);
  setTimeout(() => response.end(end), lateMs).unref();
};
const endless: Script = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write(chunk), 100);
  response.on('close', () => clearInterval(timer));
};

const set = (name: 'slow' | 'patient', body: object) =>
  instances.console.updateLlmProvider({ params: { id: instances.ids[name] }, body });
const unset = {
  connect_timeout_ms: null,
  first_byte_timeout_ms: null,
  idle_timeout_ms: null,
  total_timeout_ms: null,
  stream_total_timeout_ms: null,
};
const ask = async (stream: boolean) => {
  const startedMs = performance.now();
  const answer = await instances.gateway.complete({ model: 'm', stream });
  return {
    answer,
    row: () => instances.gateway.waitForRow(answer.headers.get('x-request-id') ?? ''),
    startedMs,
  };
};

beforeEach(async () => {
  await set('slow', { ...unset, is_active: true });
  await set('patient', { ...unset, is_active: false });
});

describe('timeouts of an instance', () => {
  it('the first-byte timeout of an instance aborts a stream that has not started', async () => {
    await set('slow', { first_byte_timeout_ms: 1_000 });
    instances.providers.slow.script = late(answerStream(chunk + end));
    const { answer, row } = await ask(true);
    expect([answer.status, (await readError(answer)).code]).toEqual([504, 'upstream_timeout']);
    expect(await row()).toMatchObject({ status: 'error', error_code: 'upstream_timeout', attempts: 1 });
  });

  it('the idle timeout of an instance aborts a stream that stops sending', async () => {
    await set('slow', { idle_timeout_ms: 1_000 });
    instances.providers.slow.script = silentMidway;
    const { answer, row } = await ask(true);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(await readEvents(answer))).toContain('upstream_timeout');
    expect(await row()).toMatchObject({ status: 'error', error_code: 'upstream_timeout' });
  });

  it('the stream timeout of an instance aborts a stream that takes too long', async () => {
    await set('slow', { stream_total_timeout_ms: 1_000 });
    instances.providers.slow.script = endless;
    const { answer, row } = await ask(true);
    expect(JSON.stringify(await readEvents(answer))).toContain('upstream_timeout');
    expect(await row()).toMatchObject({ status: 'error', error_code: 'upstream_timeout' });
  });

  it('the total timeout of an instance aborts a whole response that takes too long', async () => {
    await set('slow', { total_timeout_ms: 1_000 });
    instances.providers.slow.script = late(answerCompletion());
    const { answer } = await ask(false);
    expect([answer.status, (await readError(answer)).code]).toEqual([504, 'upstream_timeout']);
  });

  it('the total timeout of an instance does not apply to streams', async () => {
    await set('slow', { total_timeout_ms: 1_000 });
    instances.providers.slow.script = late(answerStream(chunk + end));
    const { answer } = await ask(true);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('[DONE]')]);
  });
});

describe('timeouts of the fallback', () => {
  beforeEach(() => set('patient', { is_active: true }));

  it.each([true, false])(
    'the fallback is called after a timeout and has its own time (stream: %s)',
    async (stream) => {
      await set('slow', { first_byte_timeout_ms: 1_000, total_timeout_ms: 1_000 });
      const fine = stream ? answerStream(chunk + end) : answerCompletion();
      for (const provider of Object.values(instances.providers)) provider.script = late(fine);
      const { answer, row } = await ask(stream);
      expect(answer.status).toBe(200);
      await answer.text();
      expect(await row()).toMatchObject({
        status: 'success',
        attempts: 2,
        provider_instance_name: 'patient',
        provider_calls: [
          { provider_instance_name: 'slow', error_code: 'upstream_timeout' },
          { provider_instance_name: 'patient', error_code: null },
        ],
      });
    },
  );

  it("the fallback's shorter timeout applies even if the first instance allows more", async () => {
    await set('patient', { total_timeout_ms: 1_000 });
    instances.providers.slow.script = answerWith(500, '{}');
    instances.providers.patient.script = late(answerCompletion());
    const { answer, startedMs } = await ask(false);
    expect([answer.status, (await readError(answer)).code]).toEqual([504, 'upstream_timeout']);
    expect(performance.now() - startedMs).toBeLessThan(lateMs + 2_000);
  });
});

it('a timeout reset to its default no longer applies', async () => {
  await set('slow', { total_timeout_ms: 1_000 });
  await set('slow', { total_timeout_ms: null });
  instances.providers.slow.script = late(answerCompletion());
  expect((await ask(false)).answer.status).toBe(200);
});
