import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWireCases, type WireCase } from '../../../server/test/requests/wire-cases.ts';
import { findGenerator } from '../models/find-model.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson, readEvents } from '../testing/raw-http.ts';
import { deriveShapes, findDifferences, successions } from '../testing/shape.ts';
import { checkRequest } from './generate-content.ts';
import { toCamelCase } from './read-body.ts';

const all = ['gemini', 'vertex'].flatMap(readWireCases);
const recorded = all.filter(({ name, provider }) => provider === 'gemini' && !name.includes('reported'));
const generated = recorded.filter(
  ({ endpoint, response }) => /enerateContent$/.test(endpoint) && response.status === 200,
);

interface Payload {
  candidates?: { content?: { parts?: object[] }; finishReason?: string }[];
  error?: object;
}

function payloadsOf({ response }: WireCase): Payload[] {
  const events = readEvents((response.sse ?? []).map((event) => `${event}\n\n`).join(''));
  return events.length > 0 ? events.map(({ data }) => JSON.parse(data)) : [response.body ?? []].flat();
}

function kindsOf(payloads: Payload[]): string[] {
  return payloads.map(({ candidates }) => {
    const [candidate] = candidates ?? [];
    const part = candidate?.content?.parts?.[0] ?? {};
    const kind = 'thought' in part ? 'thought' : (Object.keys(part)[0] ?? 'nothing');
    return `${kind}${candidate?.finishReason ? ' and end' : ''}`;
  });
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const headers = { 'x-goog-api-key': 'sk-test' };
const functionDeclarations = [
  { name: 'weather', parametersJsonSchema: { type: 'object', properties: { city: {} }, required: ['city'] } },
  { name: 'clock' },
];
const requests: [string, string, object][] = [
  ['text', 'sandbox-normal', {}],
  ['cached input', 'sandbox-normal:cached_tokens=1', {}],
  ['functions', 'sandbox-tools:preface_tokens=0', { tools: [{ functionDeclarations }] }],
  ['thoughts and functions', 'sandbox-tool:reasoning_tokens=4', { tools: [{ functionDeclarations }] }],
  ['silent thoughts', 'sandbox-reasoning', {}],
  ['thoughts', 'sandbox-reasoning', { generationConfig: { thinkingConfig: { includeThoughts: true } } }],
];

const ask = (model: string, method: string, change: object) =>
  postJson(
    `${sandbox.origin}/v1beta/models/${model}:${method}`,
    { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], ...change },
    headers,
  );

describe('Gemini compared with recorded traffic', () => {
  // Parts have no field for their kind, so no field is required in all parts.
  const shapes = deriveShapes(generated.flatMap(payloadsOf));

  test.each(requests)('Gemini response bodies have the recorded shape: %s', async (_, model, change) => {
    const body = await (await ask(model, 'generateContent', change)).json();
    expect(findDifferences([body], shapes)).toEqual([]);
  });

  test.each(requests)(
    'Gemini streams have the recorded responses in the recorded order: %s',
    async (_, model, change) => {
      const streams = generated
        .filter(({ endpoint }) => endpoint === 'streamGenerateContent')
        .map(payloadsOf);
      const known = new Set(streams.flatMap((stream) => successions(kindsOf(stream))));
      const events = await (await ask(model, 'streamGenerateContent?alt=sse', change)).text();
      const elements = JSON.parse(await (await ask(model, 'streamGenerateContent', change)).text());
      for (const payloads of [readEvents(events).map(({ data }) => JSON.parse(data)), elements]) {
        expect(findDifferences(payloads, shapes)).toEqual([]);
        expect(successions(kindsOf(payloads)).filter((pair) => !known.has(pair))).toEqual([]);
      }
      expect(events).toMatch(/^(data: .*\r\n\r\n)+$/);
    },
  );

  test('Gemini filtered responses, errors, token counts, vectors and lists have the recorded shape', async () => {
    const bodiesOf = (matches: (one: WireCase) => boolean) =>
      all.filter(matches).map(({ response }) => response.body);
    const compare = async (response: Response, bodies: unknown[]) =>
      expect(findDifferences([await response.json()], deriveShapes(bodies))).toEqual([]);
    const blocked = bodiesOf(({ response }) => 'promptFeedback' in Object(response.body));
    await compare(await ask('sandbox-blocked', 'generateContent', {}), blocked);
    const errors = bodiesOf(({ response }) => response.status >= 400);
    for (const model of ['gpt-4o', 'sandbox-rate-limited', 'sandbox-refuse-key', 'sandbox-overloaded'])
      await compare(await ask(model, 'generateContent', {}), errors);
    const good = (wanted: string) =>
      bodiesOf(({ endpoint, response }) => endpoint === wanted && response.status === 200);
    await compare(await ask('sandbox-normal', 'countTokens', {}), good('countTokens'));
    const content = { parts: [{ text: 'Hello' }] };
    const model = 'sandbox-embedding';
    const batch = { requests: [{ model: `models/${model}`, content }], contents: undefined };
    await compare(await ask(model, 'batchEmbedContents', batch), good('embeddings'));
    const list = await fetch(`${sandbox.origin}/v1beta/models?pageSize=2`, { headers });
    await compare(list, good('models'));
  });

  // Excludes recorded signatures, which are not the sandbox's, and numeric enum values, which are not simulated.
  const accepted = generated.flatMap(({ name, request }) => {
    const body = request?.body;
    if (typeof body !== 'object' || body === null || request?.path.includes('enum-encoding')) return [];
    return /thought_?signature/i.test(JSON.stringify(body)) ? [] : [{ name, body }];
  });

  test.each(accepted)('checkRequest accepts a request that Google accepted: $name', ({ body }) => {
    expect(() => checkRequest(Object(toCamelCase(body)), findGenerator('sandbox-normal'))).not.toThrow();
  });
});
