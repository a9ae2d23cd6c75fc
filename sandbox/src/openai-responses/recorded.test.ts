import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWireCases, type WireCase } from '../../../server/test/requests/wire-cases.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson, readEvents } from '../testing/raw-http.ts';
import { deriveShapes, findDifferences, successions } from '../testing/shape.ts';
import { readRequest } from './create-response.ts';

const recorded = ['openai', 'azure']
  .flatMap(readWireCases)
  .filter(({ name, endpoint }) => endpoint === 'responses' && !name.includes('reported'));
const answers = recorded.filter(({ response }) => response.status === 200);

interface Event {
  type: string;
  response?: object;
  item?: { type: string };
  part?: { type: string };
}

function eventsOf({ response }: WireCase): Event[] {
  return readEvents((response.sse ?? []).map((event) => `${event}\n\n`).join('')).map(({ data }) =>
    JSON.parse(data),
  );
}

const kindsOf = (events: Event[]) =>
  events.map(({ type, item, part }) => `${type} ${item?.type ?? part?.type ?? ''}`);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const weather = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: { city: {} }, required: ['city'] },
};
const clock = { type: 'function', name: 'clock' };
const requests: [string, object][] = [
  ['text', {}],
  // Disables text before calls, which the recordings do not contain.
  ['tools', { model: 'sandbox-tools:preface_tokens=0', tools: [weather, clock] }],
  [
    'thoughts',
    { model: 'sandbox-reasoning', reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'] },
  ],
  ['silent thoughts', { model: 'sandbox-reasoning' }],
];

const ask = (change: object) =>
  postJson(
    `${sandbox.origin}/v1/responses`,
    { model: 'sandbox-normal', input: 'Hello', ...change },
    { authorization: 'Bearer sk-test' },
  );

describe('OpenAI responses compared with recorded traffic', () => {
  test.each(requests)('OpenAI response bodies have the recorded shape: %s', async (_, change) => {
    const atEnd = answers.flatMap((answer) => eventsOf(answer).at(-1)?.response ?? []);
    const shapes = deriveShapes([...atEnd, ...answers.flatMap(({ response }) => response.body ?? [])]);
    expect(findDifferences([await (await ask(change)).json()], shapes)).toEqual([]);
  });

  test.each(requests)(
    'OpenAI response streams have the recorded events in the recorded order: %s',
    async (_, change) => {
      const streams = answers.filter(({ response }) => response.sse).map(eventsOf);
      const events = readEvents(await (await ask({ stream: true, ...change })).text());
      expect(events.every(({ event, data }) => event === JSON.parse(data).type)).toBe(true);
      const payloads: Event[] = events.map(({ data }) => JSON.parse(data));
      expect(findDifferences(payloads, deriveShapes(streams.flat()))).toEqual([]);
      const known = new Set(streams.flatMap((stream) => successions(kindsOf(stream))));
      expect(successions(kindsOf(payloads)).filter((pair) => !known.has(pair))).toEqual([]);
    },
  );

  test('OpenAI response errors have the recorded shape', async () => {
    const shapes = deriveShapes(
      recorded.flatMap(({ response }) => (response.status >= 400 ? [response.body] : [])),
    );
    for (const change of [{ model: 'gpt-4o' }, { temperature: 7 }])
      expect(findDifferences([await (await ask(change)).json()], shapes)).toEqual([]);
  });

  // The sandbox stores no responses or files, cannot verify foreign reasoning, and has no background mode.
  const excluded =
    /"(previous_response_id|conversation|encrypted_content)":"|"background":true|"type":"reasoning"/;
  const accepted = answers.flatMap(({ name, request }) => {
    const body = request?.body;
    if (typeof body !== 'object' || body === null || excluded.test(JSON.stringify(body))) return [];
    return [{ name, body: { ...body } }];
  });

  test.each(accepted)('readRequest accepts a request that OpenAI accepted: $name', ({ body }) => {
    expect(() => readRequest({ ...body, model: 'sandbox-normal' })).not.toThrow();
  });
});
