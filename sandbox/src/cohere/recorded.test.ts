import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWireCases, type WireCase } from '../../../server/test/requests/wire-cases.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson, readEvents } from '../testing/raw-http.ts';
import { deriveShapes, findDifferences, successions } from '../testing/shape.ts';
import { readRequest } from './chat.ts';

const recorded = readWireCases('cohere').filter(({ name }) => !name.includes('reported'));
const answers = recorded.filter(({ endpoint, response }) => endpoint === 'chat' && response.status === 200);

interface Event {
  type: string;
}

const payloadsOf = (text: string): Event[] =>
  readEvents(text).flatMap(({ data }) => (data === '[DONE]' ? [] : [JSON.parse(data)]));
const eventsOf = ({ response }: WireCase) =>
  payloadsOf((response.sse ?? []).map((event) => `${event}\n\n`).join(''));
const kindsOf = (events: Event[]) => events.map(({ type }) => type);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const parameters = { type: 'object', properties: { city: {} }, required: ['city'] };
const tools = [
  { type: 'function', function: { name: 'weather', parameters } },
  { type: 'function', function: { name: 'clock' } },
];
const requests: [string, object][] = [
  ['text', {}],
  ['tools', { model: 'sandbox-tools', tools }],
  ['thoughts', { model: 'sandbox-reasoning' }],
];

const ask = (path: string, change: object) =>
  postJson(
    `${sandbox.origin}/v2/${path}`,
    { model: 'sandbox-normal', messages: [{ role: 'user', content: 'Hello' }], ...change },
    { authorization: 'Bearer sk-test' },
  );

describe('Cohere compared with recorded traffic', () => {
  test.each(requests)('Cohere response bodies have the recorded shape: %s', async (_, change) => {
    const shapes = deriveShapes(answers.flatMap(({ response }) => response.body ?? []));
    expect(findDifferences([await (await ask('chat', change)).json()], shapes)).toEqual([]);
  });

  test.each(requests)(
    'Cohere streams have the recorded events in the recorded order: %s',
    async (_, change) => {
      const streams = answers.filter(({ response }) => response.sse).map(eventsOf);
      const payloads = payloadsOf(await (await ask('chat', { stream: true, ...change })).text());
      expect(findDifferences(payloads, deriveShapes(streams.flat()))).toEqual([]);
      const known = new Set(streams.flatMap((stream) => successions(kindsOf(stream))));
      expect(successions(kindsOf(payloads)).filter((pair) => !known.has(pair))).toEqual([]);
    },
  );

  test('Cohere errors and vectors have the recorded shape', async () => {
    const errors = recorded.flatMap(({ response }) =>
      response.status >= 400 ? [Object(response.body)] : [],
    );
    // Removes the type, which only one kind of error has.
    const plain = errors.map(({ error_type: _, ...error }) => error);
    const refused = await (await ask('chat', { model: 'gpt-4o' })).json();
    expect(findDifferences([refused], deriveShapes(plain))).toEqual([]);
    const vectors = recorded
      .filter(({ endpoint }) => endpoint === 'embeddings')
      .map(({ response }) => response.body);
    const asked = {
      model: 'sandbox-embedding',
      messages: undefined,
      texts: ['Hello'],
      input_type: 'search_query',
    };
    const embedded = await (await ask('embed', { ...asked, embedding_types: ['float'] })).json();
    expect(findDifferences([embedded], deriveShapes(vectors))).toEqual([]);
  });

  const accepted = answers.flatMap(({ name, request }) =>
    typeof request?.body === 'object' && request.body !== null ? [{ name, body: { ...request.body } }] : [],
  );

  test.each(accepted)('readRequest accepts a request that Cohere accepted: $name', ({ body }) => {
    expect(() => readRequest({ ...body, model: 'sandbox-normal' })).not.toThrow();
  });
});
