import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

const mebibyte = 1024 * 1024;
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    env: { SLUICE_BODY_LIMIT: '1MiB', SLUICE_BODY_BUDGET: '4MiB', SLUICE_CONCURRENCY: '4' },
  });
});
afterAll(() => gateway.stop());

const completions = '/api/v1/chat/completions';
const bodyOf = (bytes: number) => {
  const text = JSON.stringify({ model: 'sandbox-echo', messages: [{ role: 'user', content: '' }] });
  return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
};

interface Upload {
  readonly sending: ClientRequest;
  readonly answered: Promise<{ status: number; headers: IncomingMessage['headers']; body: string }>;
}

function begin(
  apiKey: string,
  { lengthBytes, path = completions }: { lengthBytes?: number; path?: string } = {},
): Upload {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const sending = request(gateway.origin + path, {
    method: 'POST',
    headers: { ...headers, ...(lengthBytes !== undefined && { 'content-length': lengthBytes }) },
  });
  sending.flushHeaders();
  const answered = once(sending, 'response').then(async ([response]: IncomingMessage[]) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response ?? []) chunks.push(chunk);
    const { statusCode: status = 0, headers: told = {} } = response ?? {};
    return { status, headers: told, body: Buffer.concat(chunks).toString() };
  });
  sending.on('error', () => undefined);
  return { sending, answered };
}

async function completeAll(apiKey: string, bytes: number): Promise<number> {
  const { sending, answered } = begin(apiKey, { lengthBytes: bytes });
  sending.end(bodyOf(bytes));
  return (await answered).status;
}

describe('memory limit for request bodies', () => {
  it('bodies of one user use at most a quarter of the memory, counted by declared length before any byte arrives', async () => {
    const { apiKey } = await gateway.seed.addPerson({ name: 'told' });
    await expect.poll(() => completeAll(apiKey, 1_000)).toBe(200);
    const first = begin(apiKey, { lengthBytes: 900_000 });
    await expect
      .poll(async () => {
        const second = begin(apiKey, { lengthBytes: 900_000 });
        const { status, headers, body } = await second.answered;
        return [status, headers['retry-after'], JSON.parse(body).error?.code];
      })
      .toEqual([503, '2', 'body_budget_exceeded']);
    expect(await completeAll(apiKey, 10_000)).toBe(200);
    first.sending.end(bodyOf(900_000));
    expect((await first.answered).status).toBe(200);
    await expect.poll(() => completeAll(apiKey, 900_000)).toBe(200);
  });

  it('bodies without a declared length count as they arrive', async () => {
    const { apiKey } = await gateway.seed.addPerson({ name: 'untold' });
    await expect.poll(() => completeAll(apiKey, 1_000)).toBe(200);
    const first = begin(apiKey);
    const body = bodyOf(900_000);
    first.sending.write(body.slice(0, 800_000));
    await expect.poll(() => completeAll(apiKey, 900_000)).toBe(503);
    first.sending.end(body.slice(800_000));
    expect((await first.answered).status).toBe(200);
  });

  it('bodies of a disconnected caller are released', async () => {
    const { apiKey } = await gateway.seed.addPerson({ name: 'gone' });
    await expect.poll(() => completeAll(apiKey, 1_000)).toBe(200);
    const first = begin(apiKey, { lengthBytes: mebibyte });
    await expect.poll(() => completeAll(apiKey, 900_000)).toBe(503);
    first.sending.destroy();
    await first.answered.catch(() => null);
    await expect.poll(() => completeAll(apiKey, 900_000)).toBe(200);
  });

  it.each([
    ['/api/v1/messages', { type: 'error', error: { type: 'overloaded_error' } }],
    ['/api/v1beta/models/m:generateContent', { error: { code: 503, status: 'UNAVAILABLE' } }],
    ['/api/v1/responses', { error: { code: 'body_budget_exceeded' } }],
    ['/api/v1/embeddings', { error: { code: 'body_budget_exceeded' } }],
    ['/api/v1/messages/count_tokens', { type: 'error', error: { type: 'overloaded_error' } }],
  ])('bodies beyond the memory limit are rejected in the protocol of %s', async (path, error) => {
    const { apiKey } = await gateway.seed.addPerson({ name: path.replaceAll(/\W/g, '-') });
    await expect.poll(() => completeAll(apiKey, 1_000)).toBe(200);
    const first = begin(apiKey, { lengthBytes: mebibyte });
    await expect
      .poll(async () => JSON.parse((await begin(apiKey, { lengthBytes: mebibyte, path }).answered).body))
      .toMatchObject(error);
    first.sending.destroy();
    await first.answered.catch(() => null);
  });
});

it('chat completions, embeddings, token counts and responses each take a concurrency slot before the body is read', async () => {
  const { apiKey } = await gateway.seed.addPerson({ name: 'crowd' });
  await expect.poll(() => completeAll(apiKey, 1_000)).toBe(200);
  const paths = [completions, '/api/v1/embeddings', '/api/v1/messages/count_tokens', '/api/v1/responses'];
  const held = paths.map((path) => begin(apiKey, { lengthBytes: 10, path }));
  await expect
    .poll(async () => {
      const answer = await gateway.complete({ model: 'sandbox-echo' }, { apiKey });
      return [answer.status, answer.headers.get('retry-after')];
    })
    .toEqual([429, '1']);
  for (const { sending } of held) sending.end('{"model":1');
  expect((await Promise.all(held.map(({ answered }) => answered))).map(({ status }) => status)).toEqual([
    400, 400, 400, 400,
  ]);
  expect(await completeAll(apiKey, 1_000)).toBe(200);
});

it('bodies in flight log no problems', () => {
  expect(gateway.problems).toEqual([]);
});
