import { describe, expect, it } from 'vitest';
import { recordedAnswers } from '#test/providers/recorded-answers.ts';
import { replayStream } from '#test/providers/replay-stream.ts';
import { NdjsonSplitter } from '../upstream/ndjson.ts';
import { SseSplitter } from '../upstream/sse.ts';
import type { AssistantPart, ProtocolId } from './canonical/content.ts';
import type { CanonicalResponse } from './canonical/response.ts';
import type { StreamEvent } from './canonical/stream-event.ts';
import type { ProviderSide } from './protocol.ts';
import { protocols } from './registry.ts';
import { joinStream } from './testing/join-stream.ts';
import { collectChoices, findFailure } from './translation/collect-choices.ts';

function readDatas({ framing }: ProviderSide, bytes: Buffer): string[] {
  const splitter = framing === 'sse' ? new SseSplitter() : new NdjsonSplitter();
  return [...splitter.feed(bytes), ...splitter.end()].map(({ data }) => data);
}

function collect(events: readonly StreamEvent[]): Pick<CanonicalResponse, 'choices' | 'usage' | 'failure'> {
  const failure = findFailure(events);
  return {
    choices: collectChoices(events),
    usage: events.findLast((event) => event.type === 'usage')?.usage ?? null,
    ...(failure && { failure }),
  };
}

function summarize({ choices, usage, failure }: Pick<CanonicalResponse, 'choices' | 'usage' | 'failure'>) {
  if (failure) return { failure };
  const join = (parts: readonly AssistantPart[], type: 'text' | 'reasoning' | 'refusal') =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  return {
    usage,
    choices: choices.map(({ parts, finish }) => ({
      finish,
      text: join(parts, 'text'),
      reasoning: join(parts, 'reasoning'),
      refusal: join(parts, 'refusal'),
      calls: parts.flatMap((part) =>
        part.type === 'tool-call' ? [[part.name, JSON.parse(part.arguments), part.signature]] : [],
      ),
    })),
  };
}

const streams = recordedAnswers.flatMap(({ name, id, side, bytes }) => {
  const whole = bytes && joinStream(id, readDatas(side, bytes));
  return bytes && whole ? [{ name, id, side, bytes, whole }] : [];
});

describe('complete and streamed responses', () => {
  it('every protocol has recorded streams to compare', () => {
    const known = new Set<ProtocolId>(streams.map(({ id }) => id));
    expect([...known].toSorted()).toEqual(Object.keys(protocols).toSorted());
  });

  it.each(streams)(
    '$id: the content of $name is decoded to the same result from a complete response',
    ({ side, bytes, whole }) => {
      const streamed = summarize(collect(replayStream(side, bytes)));
      const response = side.decodeResponse(Buffer.from(JSON.stringify(whole)));
      expect(response && summarize(response)).toEqual(streamed);
    },
  );
});

interface Failed {
  readonly name: string;
  readonly id: ProtocolId;
  readonly events: readonly object[];
  readonly failure: object;
}

const statuses = [
  [400, 'provider_rejected'],
  [401, 'provider_auth_failed'],
  [402, 'provider_out_of_credit'],
  [403, 'provider_auth_failed'],
  [404, 'provider_rejected'],
  [408, 'upstream_timeout'],
  [429, 'rate_limited'],
  [500, 'upstream_error'],
  [503, 'upstream_overloaded'],
  [529, 'upstream_overloaded'],
] as const;

const chatStart = { id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta: { content: 'Hi' } }] };
const chatEnd = (finish_reason: string) => ({ choices: [{ index: 0, delta: {}, finish_reason }] });
const candidate = (fields: object) => ({ responseId: 'r', candidates: [{ index: 0, ...fields }] });
const cohereStart = { type: 'message-start', id: 'c', delta: { message: { role: 'assistant' } } };
const cohereEnd = (delta: object) => ({ type: 'message-end', delta });
const failedResponse = (fields: object) => ({
  type: 'response.failed',
  response: { id: 'resp_1', object: 'response', status: 'failed', output: [], usage: null, ...fields },
});

const geminiReasons = [
  'OTHER',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'IMAGE_OTHER',
  'NO_IMAGE',
];

const ended = (reason: string, code = 'upstream_error') => ({
  code,
  message: expect.stringContaining(`'${reason}'`),
});

const failures: readonly Failed[] = [
  ...statuses.flatMap(([status, code]): Failed[] => [
    {
      name: `an error with the code ${status}`,
      id: 'openai-chat',
      events: [{ error: { message: 'Sorry', code: status } }],
      failure: { code, message: 'Sorry' },
    },
    {
      name: `an error with the code ${status} after text`,
      id: 'openai-chat',
      events: [chatStart, { error: { message: 'Sorry', code: status }, choices: [] }],
      failure: { code, message: 'Sorry' },
    },
    {
      name: `an error with the code ${status}`,
      id: 'gemini',
      events: [{ error: { message: 'Sorry', code: status } }],
      failure: { code, message: 'Sorry' },
    },
    {
      name: `an error with the code ${status}`,
      id: 'openai-responses',
      events: [{ type: 'error', error: { message: 'Sorry', code: String(status) } }],
      failure: { code, message: 'Sorry' },
    },
    {
      name: `a failed response with the code ${status}`,
      id: 'openai-responses',
      events: [failedResponse({ error: { message: 'Sorry', code: String(status) } })],
      failure: { code, message: 'Sorry' },
    },
    {
      name: `an error with the status ${status}`,
      id: 'cohere',
      events: [{ type: 'error', message: 'Sorry', status_code: status }],
      failure: { code, message: 'Sorry' },
    },
    {
      name: `an error with the status ${status}`,
      id: 'ollama',
      events: [{ error: 'Sorry', status_code: status }],
      failure: { code, message: 'Sorry' },
    },
  ]),
  ...['authentication_error:provider_auth_failed', 'billing_error:provider_out_of_credit']
    .concat([
      'not_found_error:provider_rejected',
      'rate_limit_error:rate_limited',
      'overloaded_error:upstream_overloaded',
      'api_error:upstream_error',
    ])
    .map((row): Failed => {
      const [type, code] = row.split(':');
      return {
        name: `an error of the type ${type}`,
        id: 'anthropic-messages',
        events: [{ type: 'error', error: { type, message: 'Sorry' } }],
        failure: { code, message: 'Sorry' },
      };
    }),
  ...[
    { object: 'error', message: 'Sorry', type: 'BadRequestError', code: 400 },
    { detail: 'Sorry', status: 400 },
    { code: 'invalid_argument', error: 'Sorry' },
  ].map(
    (event): Failed => ({
      name: `an error like ${JSON.stringify(event)}`,
      id: 'openai-chat',
      events: [event],
      failure: { code: 'provider_rejected', message: 'Sorry' },
    }),
  ),
  ...['error', 'insufficient_system_resource'].map(
    (reason): Failed => ({
      name: `the finish reason ${reason}`,
      id: 'openai-chat',
      events: [chatStart, chatEnd(reason)],
      failure: ended(reason),
    }),
  ),
  ...geminiReasons.map(
    (reason): Failed => ({
      name: `the finish reason ${reason}`,
      id: 'gemini',
      events: [candidate({ content: { parts: [{ text: 'Hi' }] } }), candidate({ finishReason: reason })],
      failure: ended(reason),
    }),
  ),
  ...['ERROR', 'TIMEOUT'].map(
    (reason): Failed => ({
      name: `the finish reason ${reason}`,
      id: 'cohere',
      events: [cohereStart, cohereEnd({ finish_reason: reason })],
      failure: ended(reason, reason === 'TIMEOUT' ? 'upstream_timeout' : 'upstream_error'),
    }),
  ),
  ...['load', 'unload'].map(
    (reason): Failed => ({
      name: `the finish reason ${reason}`,
      id: 'ollama',
      events: [{ model: 'm', message: { content: '' }, done: true, done_reason: reason }],
      failure: ended(reason),
    }),
  ),
  ...['failed', 'cancelled'].map(
    (status): Failed => ({
      name: `the status ${status} without an error`,
      id: 'openai-responses',
      events: [failedResponse({ status })],
      failure: ended(status),
    }),
  ),
];

describe('failures inside a 200', () => {
  it.each(failures)(
    '$id: $name is decoded as a failure, complete and streamed',
    ({ id, events, failure }) => {
      const side: ProviderSide = protocols[id].provider;
      const datas = events.map((event) => JSON.stringify(event));
      const bytes = Buffer.from(
        datas.map((data) => (side.framing === 'sse' ? `data: ${data}\n\n` : `${data}\n`)).join(''),
      );
      expect(findFailure(replayStream(side, bytes))).toMatchObject(failure);
      const whole = side.decodeResponse(Buffer.from(JSON.stringify(joinStream(id, datas))));
      expect(whole?.failure).toMatchObject(failure);
    },
  );

  it("a failure of Gemini keeps the provider's finish message", () => {
    const said = { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(default_api' };
    const whole = protocols.gemini.provider.decodeResponse(Buffer.from(JSON.stringify(candidate(said))));
    expect(whole?.failure?.message).toContain('print(default_api');
  });

  it.each<[id: ProtocolId, reason: string, events: object[]]>([
    ['openai-chat', 'tool_calls', [chatStart, chatEnd('tool_calls')]],
    ['openai-chat', 'function_call', [chatStart, chatEnd('function_call')]],
    ['cohere', 'TOOL_CALL', [cohereStart, cohereEnd({ finish_reason: 'TOOL_CALL' })]],
    [
      'anthropic-messages',
      'tool_use',
      [
        { type: 'message_start', message: { id: 'm', content: [] } },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
        { type: 'message_stop' },
      ],
    ],
  ])('%s: the finish reason %s becomes stop if there are no calls', (id, _reason, events) => {
    const side: ProviderSide = protocols[id].provider;
    const datas = events.map((event) => JSON.stringify(event));
    const whole = side.decodeResponse(Buffer.from(JSON.stringify(joinStream(id, datas))));
    const streamed = replayStream(side, Buffer.from(datas.map((data) => `data: ${data}\n\n`).join('')));
    expect(collectChoices(streamed)[0]?.finish.reason).toBe('stop');
    expect(whole?.choices[0]?.finish.reason).toBe('stop');
  });
});
