import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWireCases, type WireCase } from '../../../server/test/requests/wire-cases.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson, readEvents } from '../testing/raw-http.ts';
import { deriveShapes, findDifferences, successions } from '../testing/shape.ts';
import { readRequest } from './complete-chat.ts';

// Excludes Azure's responses, which are recorded in the same folder but have additional fields.
const recorded = readWireCases('openai').filter(
  ({ name, endpoint, features }) =>
    endpoint === 'chat' &&
    !name.includes('reported') &&
    !name.includes('azure') &&
    !features.some((feature) => feature === 'truncated_stream' || feature === 'midstream_error'),
);
const answers = recorded.filter(({ response }) => response.status === 200);

interface Chunk {
  choices: { delta: object; finish_reason: string | null }[];
  usage?: object | null;
}

const payloadsOf = (text: string): Chunk[] =>
  readEvents(text).flatMap(({ data }) => (data === '' || data === '[DONE]' ? [] : [JSON.parse(data)]));
const chunksOf = ({ response }: WireCase) =>
  payloadsOf((response.sse ?? []).map((event) => `${event}\n\n`).join(''));

function kindsOf(chunks: Chunk[]): string[] {
  return chunks.map(({ choices: [choice] }) => {
    if (!choice) return 'usage';
    return choice.finish_reason === null ? Object.keys(choice.delta).sort().join() : 'end';
  });
}

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
  ['tools', { model: 'sandbox-tools:preface_tokens=0', tools }],
];

const ask = (change: object) =>
  postJson(
    `${sandbox.origin}/v1/chat/completions`,
    { model: 'sandbox-normal', messages: [{ role: 'user', content: 'Hello' }], ...change },
    { authorization: 'Bearer sk-test' },
  );

describe('OpenAI chat compared with recorded traffic', () => {
  test.each(requests)('OpenAI chat response bodies have the recorded shape: %s', async (_, change) => {
    const shapes = deriveShapes(answers.flatMap(({ response }) => response.body ?? []));
    expect(findDifferences([await (await ask(change)).json()], shapes)).toEqual([]);
  });

  test.each(requests)(
    'OpenAI chat streams have the recorded chunks in the recorded order: %s',
    async (_, change) => {
      const streams = answers.filter(({ response }) => response.sse).map(chunksOf);
      const known = new Set(streams.flatMap((stream) => successions(kindsOf(stream))));
      for (const stream_options of [undefined, { include_usage: true }]) {
        const payloads = payloadsOf(await (await ask({ stream: true, stream_options, ...change })).text());
        expect(findDifferences(payloads, deriveShapes(streams.flat()))).toEqual([]);
        expect(successions(kindsOf(payloads)).filter((pair) => !known.has(pair))).toEqual([]);
      }
    },
  );

  test('OpenAI chat errors have the recorded shape', async () => {
    const shapes = deriveShapes(
      recorded.flatMap(({ response }) => (response.status >= 400 ? [response.body] : [])),
    );
    for (const change of [{ model: 'gpt-4o' }, { temperature: 7 }])
      expect(findDifferences([await (await ask(change)).json()], shapes)).toEqual([]);
  });

  const accepted = answers.flatMap(({ name, request }) =>
    typeof request?.body === 'object' && request.body !== null ? [{ name, body: { ...request.body } }] : [],
  );

  test.each(accepted)('readRequest accepts a request that OpenAI accepted: $name', ({ body }) => {
    expect(() => readRequest({ ...body, model: 'sandbox-normal' })).not.toThrow();
  });
});
