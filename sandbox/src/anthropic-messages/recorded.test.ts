import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWireCases, type WireCase } from '../../../server/test/requests/wire-cases.ts';
import { objectsIn } from '../request/checks.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson, readEvents } from '../testing/raw-http.ts';
import { deriveShapes, findDifferences, successions } from '../testing/shape.ts';
import { readRequest } from './create-message.ts';
import { countParameters, messageParameters } from './parameters.ts';

const recorded = readWireCases('anthropic').filter(({ name }) => !name.includes('reported'));
const answers = recorded.filter(
  ({ endpoint, response }) => endpoint === 'messages' && response.status === 200,
);

interface Event {
  type: string;
  delta?: { type?: string };
  content_block?: { type: string };
}

function eventsOf({ response }: WireCase): Event[] {
  return readEvents((response.sse ?? []).map((event) => `${event}\n\n`).join('')).map(({ data }) =>
    JSON.parse(data),
  );
}

/** Excludes pings, which may occur anywhere, and the provider's own tools, which the sandbox does not simulate. */
function kindsOf(events: Event[]): string[] {
  return events
    .filter(({ type }) => type !== 'ping')
    .map(({ type, delta, content_block: block }) => `${type} ${delta?.type ?? block?.type ?? ''}`);
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const headers = { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01' };
const weather = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: {} }, required: ['city'] },
};
const clock = { name: 'clock', input_schema: { type: 'object' } };
const requests: [string, object][] = [
  ['text', {}],
  ['tools', { model: 'sandbox-tools', tools: [weather, clock] }],
  [
    'thoughts',
    { model: 'sandbox-tool', tools: [weather], thinking: { type: 'enabled', budget_tokens: 1_024 } },
  ],
  ['a refusal', { model: 'sandbox-blocked' }],
];

const ask = (path: string, change: object) =>
  postJson(
    `${sandbox.origin}/v1/messages${path}`,
    { model: 'sandbox-normal', messages: [{ role: 'user', content: 'Hello' }], ...change },
    headers,
  );

describe('Anthropic messages compared with recorded traffic', () => {
  test.each(requests)('Anthropic response bodies have the recorded shape: %s', async (_, change) => {
    const shapes = deriveShapes(
      answers.filter(({ response }) => response.body).map(({ response }) => response.body),
    );
    const body = await (await ask('', { max_tokens: 5_000, ...change })).json();
    expect(findDifferences([body], shapes)).toEqual([]);
  });

  test.each(requests.slice(0, 3))(
    'Anthropic streams have the recorded events in the recorded order: %s',
    async (_, change) => {
      const streams = answers.filter(({ response }) => response.sse).map(eventsOf);
      const response = await ask('', { max_tokens: 5_000, stream: true, ...change });
      const events = readEvents(await response.text());
      expect(events.every(({ event, data }) => event === JSON.parse(data).type)).toBe(true);
      const payloads: Event[] = events.map(({ data }) => JSON.parse(data));
      expect(findDifferences(payloads, deriveShapes(streams.flat()))).toEqual([]);
      const known = new Set(streams.flatMap((stream) => successions(kindsOf(stream))));
      expect(successions(kindsOf(payloads)).filter((pair) => !known.has(pair))).toEqual([]);
    },
  );

  test('Anthropic errors and token counts have the recorded shape', async () => {
    const errors = recorded
      .filter(({ response }) => response.status >= 400)
      .map(({ response }) => response.body);
    for (const change of [{ model: 'gpt-4o' }, { temperature: 7 }]) {
      const body = await (await ask('', { max_tokens: 5, ...change })).json();
      expect(findDifferences([body], deriveShapes(errors))).toEqual([]);
    }
    const counts = recorded.filter(
      ({ endpoint, response }) => endpoint === 'count_tokens' && response.status === 200,
    );
    const body = await (await ask('/count_tokens', {})).json();
    expect(findDifferences([body], deriveShapes(counts.map(({ response }) => response.body)))).toEqual([]);
  });

  // Recorded thinking has no sandbox signature, compaction is a beta feature, and an old model ignored a wrong media
  // type.
  const excluded = /"type":"(thinking|redacted_thinking|compaction)"|"image\/png","data":"\/9j/;
  const accepted = recorded.flatMap(({ name, endpoint, request, response }) => {
    const body = request?.body;
    if (typeof body !== 'object' || body === null || response.status !== 200) return [];
    if (excluded.test(JSON.stringify(body))) return [];
    return [
      {
        name,
        parameters: endpoint === 'messages' ? messageParameters : countParameters,
        body: { ...body },
      },
    ];
  });

  test.each(accepted)(
    'readRequest accepts a request that Anthropic accepted: $name',
    ({ parameters, body }) => {
      expect(() => readRequest({ ...body, model: 'sandbox-normal' }, parameters)).not.toThrow();
      expect(objectsIn(Reflect.get(body, 'messages')).length).toBeGreaterThan(0);
    },
  );
});
