import { describe, expect, it } from 'vitest';
import { providers } from '#providers/registry.ts';
import { readChatCases } from '#test/requests/chat-cases.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { RequestTarget } from '../protocol.ts';
import { closeStrictly, fitStrictly } from '../translation/strict-schema.ts';
import { openaiChat } from './index.ts';

interface WireRequest {
  model: string;
  messages: { role: string; content: unknown; tool_calls?: { id: string }[]; tool_call_id?: string }[];
  tools?: { function: { name: string; parameters?: object } }[];
  [name: string]: unknown;
}

const accepted = readChatCases()
  .filter(({ request, response }) => request !== null && response.status === 200)
  // safe because the expectations fail for a body of another shape
  .map(({ name, provider, request }) => ({ name, provider, body: request?.body as WireRequest }));

const parse = (body: object) => {
  const parsed = openaiChat.caller.parseRequest(Buffer.from(JSON.stringify(body)));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.request;
};
const decode = (body: object): CanonicalRequest => {
  const decoded = parse(body).toCanonical();
  if (!decoded.ok) throw new Error(`${decoded.problem.param}: ${decoded.problem.message}`);
  return decoded.request;
};
const target = ({ body, provider }: (typeof accepted)[number]): RequestTarget => ({
  model: body.model,
  isStream: body.stream === true,
  defaultOutputTokensMax: 4_096,
  isReasoningModel: 'max_completion_tokens' in body && !('temperature' in body),
  dialect: {
    fitReasoningEffort: (_, effort) => effort,
    takesOpenAiFields: true,
    reasoningField: JSON.stringify(body).includes('"thinking"') ? 'thinking' : 'reasoning_content',
    ...(provider === 'openrouter' && providers.openrouter.chat.dialect),
  },
});
const encode = (request: CanonicalRequest, item: (typeof accepted)[number]) => {
  const encoded = openaiChat.provider.encodeRequest(request, target(item));
  if (!encoded.ok) throw new Error(encoded.problem.message);
  // safe because this protocol's requests have this shape
  return { body: encoded.body as WireRequest, warnings: encoded.warnings };
};

// OpenAI requires a name for each file that is sent as data.
const nameDocuments = ({ messages }: Pick<CanonicalRequest, 'messages'>) =>
  messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'document' ? { name: 'document', ...part } : part)),
  }));

const closeSchemas = ({
  tools,
  responseFormat: format,
}: Pick<CanonicalRequest, 'tools' | 'responseFormat'>) => ({
  tools: tools.map((tool) => {
    const { schema, strict } = fitStrictly(tool.parameters, tool.isStrict, () => undefined);
    return { ...tool, parameters: schema, ...(strict !== undefined && { isStrict: strict }) };
  }),
  ...(format?.kind === 'json-schema' && {
    responseFormat: {
      ...format,
      schema: fitStrictly(format.schema, format.isStrict, () => undefined).schema,
      ...(format.isStrict && { isStrict: closeStrictly(format.schema) !== null }),
    },
  }),
});

const withoutForm = ['functions'];
const isTranslatable = ({ body }: { body: WireRequest }) =>
  !withoutForm.some((field) => field in body) && !JSON.stringify(body.tools ?? []).includes('openrouter:');

describe('recorded requests', () => {
  it.each(accepted)(
    '$name: the request reaches a provider of its own protocol unchanged except for include_usage',
    ({ body }) => {
      const bytes = Buffer.from(JSON.stringify(body, null, 1));
      const parsed = openaiChat.caller.parseRequest(bytes);
      if (!parsed.ok) expect.unreachable(parsed.problem.message);
      const sent = parsed.request.encodeFor(body.model);
      const { stream, stream_options: options } = body as {
        stream?: boolean;
        stream_options?: { include_usage?: boolean };
      }; // safe because a request of another shape fails here
      if (!stream || options?.include_usage) expect(sent.equals(bytes)).toBe(true);
      else
        expect(JSON.parse(sent.toString())).toEqual({
          ...body,
          stream_options: { ...options, include_usage: true },
        });
      expect(JSON.parse(parsed.request.encodeFor('other').toString())).toMatchObject({
        model: 'other',
        messages: body.messages,
      });
    },
  );

  const translatable = accepted.filter(isTranslatable);

  it.each(translatable)('$name: the request is equivalent after a round trip', (item) => {
    const request = decode(item.body);
    const again = decode(encode(request, item).body);
    const { extensions: _, metadata: __, ...carried } = request;
    expect({ ...again, extensions: [] }).toEqual({
      ...carried,
      ...closeSchemas(carried),
      messages: nameDocuments(carried),
      ...(carried.count === 1 && { count: undefined }),
      // OpenAI does not support top_k.
      sampling: { ...carried.sampling, topK: undefined },
      extensions: [],
    });
  });

  it.each(translatable)('$name: decoding and encoding keep roles, ids and tool names', (item) => {
    const { body } = item;
    const { body: encoded } = encode(decode(body), item);
    const rolesOf = ({ messages }: WireRequest) =>
      messages.map(({ role }) => (role === 'developer' ? 'system' : role));
    const idsOf = ({ messages }: WireRequest) =>
      messages.flatMap((message) => [
        ...(message.tool_calls ?? []).map(({ id }) => id),
        message.tool_call_id,
      ]);
    expect(rolesOf(encoded)).toEqual(rolesOf(body));
    expect(idsOf(encoded)).toEqual(idsOf(body));
    expect(encoded.tools?.map((tool) => tool.function.name)).toEqual(
      body.tools?.length ? body.tools.map((tool) => tool.function.name) : undefined,
    );
  });

  it.each(translatable)(
    '$name: fields lost in decoding and encoding are reported in a warning unless they are harmless',
    (item) => {
      const { body } = item;
      const { body: encoded, warnings } = encode(decode(body), item);
      const carriers = new Set([...Object.keys(encoded), 'stream_options', 'max_tokens']);
      const lost = Object.entries(body)
        .filter(([name, value]) => value !== null && value !== false && !carriers.has(name))
        .map(([name]) => name);
      const harmless = new Set([
        ...['tool_choice', 'n', 'stop', 'reasoning', 'thinking', 'stream', 'tools'],
        ...['max_tokens', 'max_completion_tokens'],
      ]);
      expect(lost.filter((name) => !harmless.has(name) && !warnings.includes(name))).toEqual([]);
    },
  );

  const refused = withoutForm.flatMap((field) =>
    accepted.filter(({ body }) => body[field] != null).map(({ name, body }) => ({ field, name, body })),
  );
  it.each(refused)('$name: decoding rejects $field', ({ field, body }) => {
    const decoded = parse(body).toCanonical();
    expect(decoded).toMatchObject({ ok: false, problem: { code: 'invalid_request', param: field } });
  });
});
