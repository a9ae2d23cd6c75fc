import { describe, expect, it } from 'vitest';
import { readWireCases, type WireCase, writeSse } from '#test/requests/wire-cases.ts';
import { SseSplitter } from '#upstream/sse.ts';
import type { AssistantPart } from '../canonical/content.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { anthropicMessages } from './index.ts';
import { readModelTraits } from './model-traits.ts';
import { parseCountTokens } from './read-request.ts';

const { caller, provider } = anthropicMessages;
if (!caller) throw new Error('callers speak this protocol');

const cases = readWireCases('anthropic');

const context = { requestId: 'r1', model: 'asked', nowSeconds: 0, wantsUsage: true };

type Recorded = Record<string, unknown>;
interface Block {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
}

const target = { isStream: false, defaultOutputTokensMax: 4096, isReasoningModel: false };
const knownExtensions = [
  'cache_control',
  'messages.content.citations',
  'messages.content.context',
  'messages.content.content.citations',
  'messages.content.caller',
  'context_management',
  'mcp_servers',
  'container',
  'tools.defer_loading',
  'tools.allowed_callers',
  ...['server_tool_use', 'web_search_tool_result', 'web_fetch_tool_result', 'advisor_tool_result'],
  ...['code_execution_tool_result', 'bash_code_execution_tool_result', 'tool_search_tool_result'],
  ...['mcp_tool_use', 'mcp_tool_result', 'text_editor_code_execution_tool_result'],
];

const isWhole = ({ endpoint, response }: WireCase) =>
  endpoint === 'messages' && response.status === 200 && response.body !== undefined;
const isStream = ({ response }: WireCase) => response.sse !== undefined;
const isError = ({ response }: WireCase) => response.status >= 400;
const named = (selected: WireCase[]) => selected.map((item) => [item.name, item] as const);

function decodeAt(bytes: Buffer, cuts: readonly number[]): StreamEvent[] {
  const splitter = new SseSplitter();
  const decoder = provider.createStreamDecoder();
  const edges = [0, ...cuts, bytes.length];
  const events = edges.slice(1).flatMap((edge, index) => splitter.feed(bytes.subarray(edges[index], edge)));
  return [...events.flatMap((event) => decoder.decode(event)), ...decoder.end()];
}

function reencode(events: readonly StreamEvent[]): Buffer {
  const encoder = caller?.createStreamEncoder(context);
  return Buffer.from(events.map((event) => encoder?.encode(event) ?? '').join(''));
}

/**
 * Reduces events to the parts that a round trip preserves: no native finish reasons, and usage only if the stream
 * ended.
 */
function settle(events: readonly StreamEvent[]): StreamEvent[] {
  const usage = events.findLast(({ type }) => type === 'usage');
  const isEnded = events.some(({ type }) => type === 'end');
  const others = events.map((event) =>
    event.type === 'finish' ? { ...event, finish: { ...event.finish, native: null } } : event,
  );
  return [...others.filter(({ type }) => type !== 'usage'), ...(usage && isEnded ? [usage] : [])];
}

/** Joins all texts, because responses with citations arrive in several text blocks. */
const textOf = (parts: readonly AssistantPart[]) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('recorded complete responses', () => {
  it.each(named(cases.filter(isWhole)))(
    'recorded response %s is decoded to the values of its fields and unchanged after encoding and decoding',
    (_name, { response }) => {
      const body = response.body as Recorded & { content: Block[]; usage: Record<string, number> };
      const decoded = provider.decodeResponse(Buffer.from(JSON.stringify(body)));
      if (!decoded) throw new Error('the body is not a response');
      const [choice] = decoded.choices;
      expect(decoded).toMatchObject({ id: body.id, model: body.model });
      expect(choice?.finish.native).toBe(body.stop_reason);
      expect(textOf(choice?.parts ?? [])).toBe(
        body.content.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
      );
      expect(
        choice?.parts.flatMap((part) =>
          part.type === 'tool-call' ? [[part.id, part.name, JSON.parse(part.arguments)]] : [],
        ),
      ).toEqual(
        body.content.flatMap((block) =>
          block.type === 'tool_use' ? [[block.id, block.name, block.input]] : [],
        ),
      );
      const { usage } = decoded;
      expect((usage?.inputTokens ?? 0) + (usage?.cacheReadTokens ?? 0) + (usage?.cacheWriteTokens ?? 0)).toBe(
        (body.usage.input_tokens ?? 0) +
          (body.usage.cache_read_input_tokens ?? 0) +
          (body.usage.cache_creation_input_tokens ?? 0),
      );
      expect(usage?.outputTokens).toBe(body.usage.output_tokens);
      const encoded = Buffer.from(JSON.stringify(caller.encodeResponse(decoded, context)));
      const again = provider.decodeResponse(encoded);
      expect({ ...again, choices: [{ ...again?.choices[0], finish: null }] }).toEqual({
        ...decoded,
        choices: [{ ...choice, finish: null }],
      });
      expect(again?.choices[0]?.finish.reason).toBe(choice?.finish.reason);
    },
  );
});

describe('recorded streams', () => {
  const streams = named(cases.filter(isStream));

  it.each(streams)(
    'recorded stream %s is decoded to the texts, reasoning, number of calls and end of its wire events',
    (_name, item) => {
      const wire = (item.response.sse ?? []).map(
        (event) => JSON.parse(event.slice(event.indexOf('data:') + 5)) as Record<string, never>,
      );
      const events = decodeAt(writeSse(item.response), []);
      const deltas = wire.flatMap(({ delta }) => (delta ? [delta as Record<string, string>] : []));
      expect(events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')).toBe(
        deltas.map((delta) => (delta.type === 'text_delta' ? delta.text : '')).join(''),
      );
      expect(events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('')).toBe(
        deltas.map((delta) => (delta.type === 'thinking_delta' ? delta.thinking : '')).join(''),
      );
      const callsOnWire = wire.filter(
        ({ content_block }) => (content_block as Block | undefined)?.type === 'tool_use',
      );
      expect(events.filter(({ type }) => type === 'tool-input-start')).toHaveLength(callsOnWire.length);
      const isEnded = wire.some(({ type }) => type === 'message_stop');
      expect(events.some(({ type }) => type === 'end')).toBe(isEnded);
      expect(events.filter(({ type }) => type === 'finish')).toHaveLength(isEnded ? 1 : 0);
    },
  );

  it.each(streams)('recorded stream %s is decoded to the same events for any chunk size', (_name, item) => {
    const bytes = writeSse(item.response);
    const events = decodeAt(bytes, []);
    expect(decodeAt(bytes, [...bytes.keys()])).toEqual(events);
    const step = Math.ceil(bytes.length / 60);
    for (let cut = 1; cut < bytes.length; cut += step) expect(decodeAt(bytes, [cut])).toEqual(events);
  });

  it.each(streams)('recorded stream %s is unchanged after encoding and decoding', (_name, item) => {
    const events = decodeAt(writeSse(item.response), []);
    const again = decodeAt(reencode(events), []);
    expect(settle(again)).toEqual(settle(events));
  });
});

describe('recorded errors', () => {
  it.each(named(cases.filter(isError)))(
    'recorded error %s has a message and a code',
    (_name, { response }) => {
      const { error } = response.body as { error: { message: string; type: string } };
      const read = provider.readErrorMessage(JSON.stringify(response.body));
      expect(read?.message).toBe(error.message);
      expect(read?.code).not.toBeNull();
    },
  );
});

describe('recorded requests', () => {
  const requests = named(cases.filter(({ request, endpoint }) => request?.body && endpoint === 'messages'));
  const parse = ({ request }: WireCase) => {
    const bytes = Buffer.from(JSON.stringify(request?.body));
    const parsed = caller.parseRequest(bytes, { model: null, isStream: null });
    if (!parsed.ok) throw new Error(parsed.problem.message);
    return { bytes, request: parsed.request };
  };

  it.each(requests)('recorded request %s is passed through unchanged', (_name, item) => {
    const { bytes, request } = parse(item);
    expect(request.encodeFor(request.model)).toBe(bytes);
    const other = JSON.parse(request.encodeFor('other').toString());
    expect(other).toEqual({ ...(item.request?.body as object), model: 'other' });
  });

  it.each(requests)(
    'recorded request %s is equivalent after decoding and encoding, or rejected because of a stored file',
    (_name, item) => {
      const { request } = parse(item);
      const translated = request.toCanonical();
      if (!translated.ok) throw new Error(translated.problem.message);
      const { extensions, ...meaning } = translated.request;
      const hosted = extensions.filter((name) => /^tools\.[a-z\d_]+_\d{8}$/.test(name));
      expect(extensions.filter((name) => !hosted.includes(name))).toEqual(
        extensions.filter((name) => knownExtensions.includes(name)),
      );
      const encoded = provider.encodeRequest(translated.request, { ...target, model: request.model });
      if (!encoded.ok) {
        expect(encoded.problem.message).toContain('Only the provider that stores the file');
        return;
      }
      const again = parse({ ...item, request: { path: '', body: encoded.body } }).request.toCanonical();
      if (!again.ok) throw new Error(again.problem.message);
      const isThinking = meaning.reasoning !== undefined;
      const isCalled = meaning.messages.some(({ parts }) => parts.some(({ type }) => type === 'tool-call'));
      expect(again.request).toEqual({
        ...meaning,
        // Newer models accept an effort instead of a budget.
        ...(meaning.reasoning?.budgetTokens !== undefined &&
          readModelTraits(request.model).thinking === 'adaptive' && {
            reasoning: { effort: expect.any(String) },
          }),
        // A tool choice without tools is dropped, and called tools are declared.
        ...(meaning.tools.length === 0 && {
          tools: isCalled ? expect.any(Array) : [],
          toolChoice: isCalled ? { kind: 'none' } : undefined,
          isParallelToolUse: undefined,
        }),
        extensions: [],
        // The encoder omits a `temperature` of 1, the default, together with thinking.
        sampling: isThinking && meaning.sampling.temperature === 1 ? {} : meaning.sampling,
      });
    },
  );

  it.each(named(cases.filter(({ endpoint }) => endpoint === 'count_tokens')))(
    'recorded token count %s is passed through unchanged',
    (_name, { request }) => {
      const bytes = Buffer.from(JSON.stringify(request?.body));
      const parsed = parseCountTokens(bytes);
      expect(parsed.ok && parsed.request.encodeFor(parsed.request.model)).toBe(bytes);
    },
  );
});
