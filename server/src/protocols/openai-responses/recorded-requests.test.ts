import { describe, expect, it } from 'vitest';
import { readResponsesCases } from '#test/requests/responses-cases.ts';
import { callerProtocols } from '#test/requests/through-callers.ts';
import type { AssistantPart } from '../canonical/content.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { CallerSide, RequestTarget } from '../protocol.ts';
import { makeToolNamesPortable } from '../translation/tool-names.ts';
import { openaiResponses } from './index.ts';

interface WireRequest {
  model: string;
  input: string | { type?: string; role?: string; content?: unknown; call_id?: string }[];
  tools?: { type: string; name?: string }[];
  tool_choice?: string | { type: string; tools?: { name: string }[] };
  [name: string]: unknown;
}

const accepted = readResponsesCases()
  .filter(({ request, response }) => request?.body && response.status === 200)
  .filter(({ request }) => !JSON.stringify(request?.body).includes('"background":true'))
  // safe because the expectations fail for a body of another shape
  .map(({ name, request }) => ({ name, body: request?.body as WireRequest }));

const parseBy = (caller: CallerSide, body: object) => {
  const parsed = caller.parseRequest(Buffer.from(JSON.stringify(body)), { model: 'm', isStream: false });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.request;
};
const decodeBy = (caller: CallerSide, body: object): CanonicalRequest => {
  const decoded = parseBy(caller, body).toCanonical();
  if (!decoded.ok) throw new Error(`${decoded.problem.param}: ${decoded.problem.message}`);
  return decoded.request;
};
const decode = (body: object): CanonicalRequest => {
  const { request } = makeToolNamesPortable(decodeBy(openaiResponses.caller, body));
  return {
    ...request,
    tools: request.tools.map(({ isFreeform: _, ...tool }) => tool),
    messages: request.messages.map((message) =>
      message.role === 'assistant' ? { ...message, parts: message.parts.map(dropFreeform) } : message,
    ),
  };
};
const dropFreeform = (part: AssistantPart): AssistantPart => {
  if (part.type !== 'tool-call') return part;
  const { isFreeform: _, ...call } = part;
  return call;
};
const target = (body: WireRequest): RequestTarget => ({
  model: body.model,
  isStream: body.stream === true,
  defaultOutputTokensMax: 4_096,
  isReasoningModel: !('temperature' in body) && !JSON.stringify(body.input).includes('"system"'),
  dialect: {
    fitReasoningEffort: (_, effort) => effort,
    reasoningItems: 'of-any',
    takesOpenAiFields: true,
    ...(JSON.stringify(body).includes('"reasoning_text"') && { reasoningField: 'reasoning_content' }),
  },
});
const encode = (body: WireRequest) => {
  const encoded = openaiResponses.provider.encodeRequest(decode(body), target(body));
  if (!encoded.ok) throw new Error(encoded.problem.message);
  // safe because this protocol's requests have this shape
  return { body: encoded.body as WireRequest, warnings: encoded.warnings };
};

const withoutForm = ['previous_response_id', 'conversation'];
const refusedOf = ({ body }: { body: WireRequest }) => withoutForm.filter((field) => body[field]);
const translatable = accepted.filter((request) => refusedOf(request).length === 0);

/** Reasoning without a signature is sent only to providers that accept reasoning as text. */
const isKept = (part: { type: string; signature?: object }, body: WireRequest) =>
  part.type !== 'reasoning' ||
  part.signature !== undefined ||
  target(body).dialect?.reasoningField !== undefined;

describe('recorded requests', () => {
  it.each(accepted)('$name: the request reaches a provider of its own protocol unchanged', ({ body }) => {
    const bytes = Buffer.from(JSON.stringify(body, null, 1));
    const parsed = openaiResponses.caller.parseRequest(bytes);
    if (!parsed.ok) expect.unreachable(parsed.problem.message);
    expect(parsed.request.encodeFor(body.model)).toBe(bytes);
    expect(JSON.parse(parsed.request.encodeFor('other').toString())).toEqual({ ...body, model: 'other' });
  });

  it.each(translatable)('$name: the request is equivalent after a round trip', ({ body }) => {
    const { extensions: _, tools, ...carried } = decode(body);
    const again = decode(encode(body).body);
    expect({ ...again, extensions: [] }).toEqual({
      ...carried,
      messages: carried.messages.map((message) => ({
        ...message,
        parts: message.parts.filter((part) => isKept(part, body)),
      })),
      tools: tools.map((tool) => ({ isStrict: false, ...tool })),
      // A tool choice without tools has no effect.
      ...(tools.length === 0 && { toolChoice: undefined }),
      extensions: [],
    });
  });

  it.each(translatable)('$name: decoding and encoding keep items, tools and ids in order', ({ body }) => {
    const { body: encoded } = encode(body);
    const itemsOf = ({ input }: WireRequest) =>
      typeof input === 'string'
        ? ['user']
        : input.flatMap(({ type = 'message', role, content, call_id }) => {
            if (content === '' || /^(web_search|tool_search|reasoning)/.test(type)) return [];
            return [
              `${type.replace('custom_tool', 'function')}/${role?.replace('developer', 'system')}/${call_id}`,
            ];
          });
    const expected = itemsOf(body).map((item) => (item === 'user' ? 'message/user/undefined' : item));
    const instructions = body.instructions ? ['message/system/undefined'] : [];
    expect(itemsOf(encoded)).toEqual([...instructions, ...expected]);
    const { tools = [], tool_choice: choice } = body;
    const allowed = typeof choice === 'object' ? choice.tools?.map(({ name }) => name) : undefined;
    const names = tools
      .filter(({ type }) => /^(function|custom)$/.test(type))
      .map(({ name }) => name)
      .filter((name) => allowed?.includes(String(name)) ?? true);
    expect(encoded.tools?.map(({ name }) => name) ?? []).toEqual(names);
  });

  it.each(translatable)(
    '$name: fields lost in decoding and encoding are reported in a warning unless they are harmless',
    ({ body }) => {
      const { body: encoded, warnings } = encode(body);
      const lost = Object.entries(body).filter(
        ([name, value]) => value != null && value !== false && !(name in encoded),
      );
      const harmless = new Set(['instructions', 'include', 'tools', 'tool_choice', 'text']);
      expect(
        lost.map(([name]) => name).filter((name) => !harmless.has(name) && !warnings.includes(name)),
      ).toEqual([]);
      for (const { type } of body.tools ?? [])
        if (type !== 'function' && type !== 'custom') expect(warnings).toContain(`tools.${type}`);
    },
  );

  it.each(accepted.filter((request) => refusedOf(request).length > 0))(
    '$name: decoding rejects fields that need stored state',
    ({ body }) => {
      const decoded = parseBy(openaiResponses.caller, body).toCanonical();
      if (decoded.ok) expect.unreachable('it has no form in other protocols');
      expect(withoutForm).toContain(decoded.problem.param);
    },
  );

  const others = callerProtocols.filter(({ id }) => id !== 'openai-responses');
  const pairs = translatable.flatMap(({ name, body }) =>
    others.map((other) => ({ name, id: other.id, body, other })),
  );

  it.each(pairs)('$name: the request is equivalent in $id or rejected with a reason', ({ body, other }) => {
    const request = decode(body);
    const encoded = other.provider.encodeRequest(request, target(body));
    if (!encoded.ok) {
      expect(encoded.problem.message).toMatch(
        /does not (?:accept|support) |stores the file|accepts PDF and text/,
      );
      return;
    }
    const again = decodeBy(other.caller, encoded.body);
    const textsOf = ({ messages }: CanonicalRequest, role: string) =>
      messages
        .filter((message) => message.role === role)
        .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : [])))
        .join('');
    // Ids may differ as long as each result matches its call.
    const callsOf = ({ messages }: CanonicalRequest) => {
      const ids: string[] = [];
      return messages.flatMap(({ parts }) =>
        parts.flatMap((part) => {
          if (part.type === 'tool-call')
            return [[ids.push(part.id) - 1, part.name, JSON.parse(part.arguments)]];
          return part.type === 'tool-result' ? [[ids.lastIndexOf(part.callId), part.name]] : [];
        }),
      );
    };
    expect(textsOf(again, 'assistant')).toBe(textsOf(request, 'assistant'));
    expect(callsOf(again)).toEqual(callsOf(request));
    // For models without JSON schemas, a tool with the schema is used instead.
    const namesOf = ({ tools }: CanonicalRequest) =>
      tools.map(({ name }) => name).filter((name) => name !== 'sluice_structured_answer');
    // A choice of one tool may be encoded by sending only that tool.
    const { toolChoice: choice } = again;
    if (choice?.kind === 'tool') expect(namesOf(request)).toEqual(expect.arrayContaining(namesOf(again)));
    else if (choice?.kind === 'none' && request.tools.length === 0)
      // Called tools are declared if the provider rejects calls without tools.
      expect(callsOf(request).map(([, name]) => name)).toEqual(expect.arrayContaining(namesOf(again)));
    else expect(namesOf(again)).toEqual(namesOf(request));
    for (const role of ['user', 'system']) {
      const words = textsOf(request, role);
      if (words !== '') expect(textsOf(again, role)).toContain(words);
    }
  });
});
