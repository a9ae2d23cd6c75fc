import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { leaveMidAnswer } from '#test/load/leaving-caller.ts';
import { runLoad } from '#test/load/load.ts';
import { createSluice } from '#test/processes/sluice-process.ts';
import {
  answerCompletion,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readEvents } from '#test/requests/answers.ts';
import type { RequestRow } from '#test/requests/request-rows.ts';

const paced = 'sandbox-normal:tokens=60,interval_ms=10';

describe('draining worker', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway({ seed: (seed) => seed.addInstance({ name: 'lab', models: [paced] }) });
  });
  afterEach(() => gateway.stop());

  it('a draining worker finishes responses in flight and writes their rows before it exits', async () => {
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => gateway.complete({ model: paced, stream: true })),
    );
    const drained = gateway.drain();
    for (const events of await Promise.all(streams.map(readEvents))) expect(events.at(-1)).toBe('[DONE]');
    const ids = streams.map(({ headers }) => headers.get('x-request-id'));
    await drained;
    const rows = await gateway.readRows();
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
    for (const row of rows) expect(row).toMatchObject({ status: 'success', completion_tokens: 60 });
    await expect(gateway.complete({ model: paced })).rejects.toThrow('fetch failed');
  });

  it("a draining worker reads a disconnected caller's response to its usage and writes its row", async () => {
    const clientRequestId = 'left-while-draining';
    let drained: Promise<void> | undefined;
    await leaveMidAnswer(gateway, { model: paced, stream: true }, clientRequestId, ({ length }) => {
      if (length < 2_000) return false;
      drained = gateway.drain();
      return true;
    });
    await drained;
    const [row] = await gateway.readRows();
    expect(row).toMatchObject({
      client_request_id: clientRequestId,
      status: 'client_closed',
      usage_source: 'provider',
      completion_tokens: 60,
    });
  });

  it('a draining worker rejects new requests on open connections, so that they are retried elsewhere', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    const body = JSON.stringify({ model: paced, stream: true, messages: hello });
    const request = `POST /api/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.apiKey}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    socket.write(request);
    await once(socket, 'readable');
    const drained = gateway.drain();
    socket.write(request);
    let answers = '';
    for await (const chunk of socket) answers += chunk;
    expect(answers).toContain('data: [DONE]');
    const answer = answers.slice(answers.lastIndexOf('HTTP/1.1'));
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toMatch(/\r\nretry-after: 1\r\n/i);
    expect(answer).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/i);
    expect(answer).toContain('"code":"draining"');
    await drained;
  });
});

const contents = [{ parts: [{ text: 'Hello' }] }];
const callers: Record<string, { path: string; body: object; end: RegExp }> = {
  'chat completions': { path: '/v1/chat/completions', body: { messages: hello }, end: /data: \[DONE\]/ },
  messages: { path: '/v1/messages', body: { messages: hello, max_tokens: 9_000 }, end: /message_stop/ },
  responses: { path: '/v1/responses', body: { input: 'Hello' }, end: /response\.completed/ },
  Gemini: {
    path: '/v1beta/models/long:streamGenerateContent?alt=sse',
    body: { contents },
    end: /finishReason/,
  },
};

describe('worker at its drain deadline', () => {
  const long = 'sandbox-normal:tokens=6000,interval_ms=5';
  let provider: ScriptedProvider;
  let gateway: TestGateway;
  beforeEach(async () => {
    provider = await startScriptedProvider(() => undefined);
    gateway = await startGateway({
      env: { SLUICE_DRAIN_TIMEOUT: '500 ms' },
      async seed(seed) {
        await seed.addInstance({ name: 'lab', models: [long], aliases: { long } });
        await seed.addInstance({ name: 'mute', models: ['silent'], endpoint: `${provider.origin}/v1` });
      },
    });
  });
  afterEach(async () => {
    await gateway.stop();
    await provider.close();
  });

  const call = (path: string, body: object) =>
    fetch(`${gateway.origin}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it.each(Object.keys(callers))(
    'a worker at its drain deadline ends a stream of %s with an error and charges its output',
    async (name) => {
      const { path, body, end } = callers[name]!;
      const isGemini = name === 'Gemini';
      const response = await call(path, isGemini ? body : { model: 'long', stream: true, ...body });
      expect(response.status).toBe(200);
      const drained = gateway.drain();
      const text = await response.text();
      expect(text).toContain('This node stopped before the response was complete. Please retry');
      expect(text).not.toMatch(end);
      await drained;
      const [row] = await gateway.readRows();
      expect(row).toMatchObject({ status: 'error', error_code: 'node_stopped', usage_source: 'partial' });
      expect(row?.completion_tokens).toBeGreaterThan(10);
    },
  );

  it('a worker at its drain deadline ends a response not yet started with an error that load balancers do not retry', async () => {
    const answered = call('/v1/chat/completions', { model: 'silent', messages: hello });
    await expect.poll(() => provider.calls.length).toBe(1);
    const drained = gateway.drain();
    const answer = await answered;
    expect(answer.status).toBe(500);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toMatchObject({ error: { code: 'node_stopped' } });
    await drained;
    expect(await gateway.readRows()).toMatchObject([{ status: 'error', error_code: 'node_stopped' }]);
  });
});

describe('stopping node', () => {
  it('a stopping node is unready, still serves, and closes the connection after each response', async () => {
    const provider = await startScriptedProvider((response) => {
      setImmediate(() => {
        gateway.noteUnready('draining');
        answerCompletion()(response, provider.calls[0]!);
      });
    });
    onTestFinished(() => provider.close());
    const gateway = await startGateway({
      async seed(seed) {
        await seed.addInstance({ name: 'lab', models: [paced] });
        await seed.addInstance({ name: 'scripted', models: ['m'], endpoint: `${provider.origin}/v1` });
      },
    });
    onTestFinished(() => gateway.stop());
    const inFlight = await gateway.complete({ model: 'm' });
    const probe = await fetch(`${gateway.origin}/readyz`);
    expect(probe.status).toBe(503);
    expect(await probe.json()).toMatchObject({ reason: 'draining' });
    const late = await gateway.complete({ model: paced, stream: true });
    for (const answer of [inFlight, late]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('connection')).toBe('close');
      await answer.text();
    }
    expect((await fetch(`${gateway.origin}/healthz`)).status).toBe(200);
  });
});

it('SIGTERM under load stops new requests, completes streams, writes every row and exits with 0', async () => {
  const sluice = await createSluice({ SLUICE_WORKERS: '2', LOG_LEVEL: 'silent' });
  onTestFinished(() => sluice.remove());
  await sluice.start();
  const target = { origin: sluice.origin, apiKey: sluice.apiKey };
  const streaming = Promise.withResolvers<void>();
  let answers = 0;
  const long = runLoad({
    ...target,
    kinds: [{ model: 'sandbox-slow', stream: true }],
    concurrency: 20,
    count: 20,
    onAnswer: () => ++answers === 20 && streaming.resolve(),
    name: 'long',
  });
  const ending = new AbortController();
  const short = runLoad({
    ...target,
    kinds: [{ model: 'sandbox-normal' }, { model: 'sandbox-normal', stream: true }],
    concurrency: 10,
    count: Number.POSITIVE_INFINITY,
    signal: ending.signal,
    name: 'short',
  });
  await streaming.promise;
  sluice.signal('SIGTERM');
  const readiness = () =>
    fetch(`${sluice.origin}/readyz`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(500),
    }).then(
      ({ status }) => status,
      () => 'no answer' as const,
    );
  await expect.poll(readiness, { timeout: 5_000 }).not.toBe(200);
  ending.abort();
  const calls = [...(await long), ...(await short)];
  expect(await sluice.exited).toBe(0);

  expect(calls.filter(({ kind }) => kind.model === 'sandbox-slow').every(({ isWhole }) => isWhole)).toBe(
    true,
  );
  expect(new Set(calls.map(({ status }) => status)).difference(new Set([200, 503, null]))).toEqual(new Set());
  const answered = calls.filter(({ status }) => status === 200);
  expect(answered.every(({ isWhole }) => isWhole)).toBe(true);

  await sluice.start();
  const client = new pg.Client({ connectionString: sluice.connectionString() });
  await client.connect();
  const { rows } = await client.query<RequestRow>('SELECT * FROM request_logs');
  await client.end();
  expect(rows.map(({ id }) => id).sort()).toEqual(answered.map(({ id }) => id).sort());
  expect(rows.every(({ status }) => status === 'success')).toBe(true);
});
