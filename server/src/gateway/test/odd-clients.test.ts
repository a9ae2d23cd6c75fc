import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { itSampled } from '#test/load/sample.ts';
import { type Dialect, dialectNames, dialects } from '#test/requests/dialects.ts';
import { oddClientRequests } from '#test/requests/odd-client-requests.ts';
import { type RawRequest, sendRaw } from '#test/requests/raw-request.ts';

const vendors: Readonly<
  Record<ProtocolId, { readonly key: string; readonly model: string; readonly path: string }>
> = {
  'openai-chat': { key: 'vllm', model: 'qwen3-32b', path: '/v1' },
  'openai-responses': { key: 'openai', model: 'gpt-5.1-codex', path: '/v1' },
  'anthropic-messages': { key: 'anthropic', model: 'claude-sonnet-5', path: '' },
  gemini: { key: 'google', model: 'gemini-3-pro-preview', path: '' },
  cohere: { key: 'cohere', model: 'command-a-vision-07-2025', path: '' },
  ollama: { key: 'ollama', model: 'gemma3', path: '' },
};

let sandbox: Sandbox;
let gateway: TestGateway;
const renaming = createServer(async (request, response) => {
  const body = JSON.parse((await buffer(request)).toString());
  const path = (request.url ?? '').replace(/models\/[^/]+:/, 'models/sandbox-echo:');
  const names = ['authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version'];
  const answer = await fetch(sandbox.origin + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...Object.fromEntries(
        names.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : [])),
      ),
    },
    body: JSON.stringify('model' in body ? { ...body, model: 'sandbox-echo' } : body),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
});

beforeAll(async () => {
  sandbox = await startSandbox();
  renaming.listen(0, '127.0.0.1');
  await once(renaming, 'listening');
  const { port } = renaming.address() as AddressInfo; // safe because the server listens on a TCP port
  gateway = await startGateway({
    async seed(seed) {
      for (const { key, model, path } of Object.values(vendors))
        await seed.addInstance({
          name: key,
          providerKey: key,
          models: [model],
          endpoint: `http://127.0.0.1:${port}${path}`,
        });
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  renaming.closeAllConnections();
  await new Promise((resolve) => renaming.close(resolve));
  await sandbox.close();
});

async function send(
  dialect: Dialect,
  fields: object,
  { key, model }: (typeof vendors)[ProtocolId],
  stream: boolean,
) {
  const { path, body } = dialects[dialect]({ model: `${key}/${model}`, stream, content: 'Hello' });
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...fields }),
  });
  const text = await answer.text();
  return answer.ok && !text.includes('"error":{') ? [] : [`${key}: ${answer.status} ${text.slice(0, 500)}`];
}

const cases = dialectNames.flatMap((dialect) =>
  Object.entries(oddClientRequests[dialect]).map(([title, fields]) => ({ dialect, title, fields })),
);

itSampled(2).each(cases)(
  '$dialect: $title is accepted by each vendor of another protocol',
  async ({ dialect, fields }) => {
    const others = Object.entries(vendors).filter(([protocol]) => protocol !== dialect);
    const faults: string[] = [];
    for (const [, vendor] of others)
      for (const stream of [false, true]) faults.push(...(await send(dialect, fields, vendor, stream)));
    expect(faults).toEqual([]);
  },
);

it.each<[dialect: Dialect, fields: object, param: string]>([
  ['openai-chat', { messages: [{ role: 'user', content: [] }] }, 'messages'],
  ['openai-responses', { input: [{ role: 'user', content: [] }] }, 'input'],
  ['anthropic-messages', { messages: [{ role: 'user', content: '' }] }, 'messages'],
  ['gemini', { contents: [{ role: 'user', parts: [{ text: '' }] }] }, 'contents'],
])(
  '%s: a request without content is a 400 that names its field at each vendor',
  async (dialect, fields, param) => {
    for (const [protocol, vendor] of Object.entries(vendors)) {
      // OpenAI also accepts chat completions, whose errors name the field of that API.
      const isOwn = protocol === dialect || (vendor.key === 'openai' && dialect === 'openai-chat');
      if (isOwn) continue;
      const [fault = ''] = await send(dialect, fields, vendor, false);
      expect(fault).toContain(`${vendor.key}: 400`);
      expect(fault).toContain('The request has no content');
      if (dialect !== 'anthropic-messages') expect(fault).toContain(`"${param}"`);
    }
  },
);

type Wire = Required<Pick<RawRequest, 'path' | 'headers' | 'body'>> & { readonly body: string };

const wireForms: Readonly<Record<string, (wire: Wire) => RawRequest>> = {
  'a slash at the end of the path': (wire) => ({ ...wire, path: wire.path.replace(/(\?|$)/, '/$1') }),
  'a base URL that ends in a slash': (wire) => ({
    ...wire,
    path: wire.path.replace(/(v1(beta)?)\//, '$1//'),
  }),
  'an escaped colon': (wire) => ({ ...wire, path: wire.path.replace(':', '%3A') }),
  'a query': (wire) => ({ ...wire, path: `${wire.path}${wire.path.includes('?') ? '&' : '?'}beta=true&x` }),
  'a content type in capitals with a charset': (wire) => ({
    ...wire,
    headers: { ...wire.headers, 'content-type': 'APPLICATION/JSON; Charset="UTF-8"' },
  }),
  'no content type': ({ headers: { 'content-type': _, ...headers }, ...wire }) => ({ ...wire, headers }),
  'a body in chunks of one byte': (wire) => ({
    ...wire,
    body: [...Buffer.from(wire.body)].map((byte) => Buffer.from([byte])),
  }),
  'white space around the body': (wire) => ({ ...wire, body: `\r\n ${wire.body}\n` }),
  'escaped characters': (wire) => ({ ...wire, body: wire.body.replace('Hello', '\\u0048ello') }),
  'a preferred encoding': (wire) => ({
    ...wire,
    headers: { ...wire.headers, 'accept-encoding': 'br, gzip' },
  }),
};

it.each(dialectNames.flatMap((dialect) => Object.keys(wireForms).map((form) => ({ dialect, form }))))(
  '$dialect: a request with $form is accepted, whole and streamed',
  async ({ dialect, form }) => {
    for (const stream of [false, true]) {
      const { path, body } = dialects[dialect]({ model: 'sandbox-echo', stream, content: 'Hello' });
      const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' };
      const wire = { path, headers, body: JSON.stringify(body) };
      const answer = await sendRaw(gateway.port, wireForms[form]?.(wire) ?? wire);
      expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('Hello')]);
    }
  },
);

it.each(['/v2', '/api', '/api/v1/v1', '/api/v1beta/openai'])(
  'a request below the root "%s" gets an error of its protocol that names the endpoint',
  async (root) => {
    for (const dialect of dialectNames) {
      const { path, body } = dialects[dialect]({ model: 'sandbox-echo', stream: false, content: 'Hello' });
      const misplaced = root + path.replace(/^\/api\/v1(beta)?/, '');
      const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' };
      const answer = await sendRaw(gateway.port, { path: misplaced, headers, body: JSON.stringify(body) });
      const { error } = JSON.parse(answer.body);
      expect([answer.status, error.message]).toEqual([
        501,
        expect.stringContaining('Did you mean POST /api/v1'),
      ]);
      const kind = {
        'anthropic-messages': ['type', 'api_error'],
        gemini: ['status', 'UNIMPLEMENTED'],
      };
      const [name, value] = Object.entries(kind).find(([id]) => id === dialect)?.[1] ?? [
        'code',
        'not_supported',
      ];
      expect(error[name ?? '']).toBe(value);
    }
  },
);

it('HEAD on the models endpoint responds like GET without a body', async () => {
  const headers = { authorization: `Bearer ${gateway.apiKey}` };
  const answer = await sendRaw(gateway.port, { method: 'HEAD', path: '/api/v1/models', headers });
  expect(answer).toMatchObject({ status: 200, body: '' });
});
