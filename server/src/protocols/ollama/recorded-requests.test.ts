import { describe, expect, it } from 'vitest';
import { readOllamaCases } from '#test/requests/ollama-cases.ts';
import type { AssistantPart, Message } from '../canonical/content.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { encodeWishes } from './testing/exchange.ts';

const cases = readOllamaCases()
  .filter(({ request }) => request !== null)
  // safe because the assertions below fail for any other shape
  .map(({ name, request }) => ({ name, body: request?.body as WireRequest }));

interface WireMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  thinking?: string;
  images?: string[];
  tool_calls?: { id?: string; function: { name: string; arguments: object } }[];
  tool_name?: string;
  tool_call_id?: string;
}
interface WireRequest {
  model: string;
  stream?: boolean;
  think?: boolean;
  messages: WireMessage[];
  tools?: { function: { name: string; description?: string; parameters: Record<string, unknown> } }[];
  options?: { num_predict?: number; stop?: string[]; temperature?: number; seed?: number };
  format?: '' | Record<string, unknown>;
}

const readMessage = ({ role, content, ...rest }: WireMessage): Message => {
  const text = { type: 'text' as const, text: content };
  if (role === 'system') return { role, parts: [text] };
  if (role === 'assistant') return { role, parts: readAssistant(content, rest) };
  if (role === 'user') {
    const images = (rest.images ?? []).map((base64) => ({
      type: 'image' as const,
      source: { kind: 'data' as const, mediaType: 'image/png', base64 },
    }));
    return { role, parts: [text, ...images] };
  }
  const { tool_call_id: callId = 'made_up', tool_name: name } = rest;
  const result = { type: 'tool-result' as const, callId, parts: [text], isError: false };
  return { role: 'user', parts: [{ ...result, ...(name !== undefined && { name }) }] };
};

const readAssistant = (
  content: string,
  { thinking, tool_calls: calls = [] }: Partial<WireMessage>,
): AssistantPart[] => [
  ...(thinking ? [{ type: 'reasoning' as const, text: thinking, isRedacted: false }] : []),
  ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
  ...calls.map(({ id = 'made_up', function: called }) => ({
    type: 'tool-call' as const,
    id,
    name: called.name,
    arguments: JSON.stringify(called.arguments),
  })),
];

const read = ({
  messages,
  tools = [],
  options = {},
  format,
  think,
}: WireRequest): Partial<CanonicalRequest> => ({
  messages: messages.map(readMessage),
  tools: tools.map(({ function: tool }) => tool),
  stop: options.stop ?? [],
  sampling: {
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.seed !== undefined && { seed: options.seed }),
  },
  ...(options.num_predict && { outputTokensMax: options.num_predict }),
  ...(think && { reasoning: {} }),
  ...(format && { responseFormat: { kind: 'json-schema', name: 'answer', schema: format } }),
});

const normalize = (body: WireRequest) => ({
  ...Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) => value !== null && value !== '' && Object.keys(value).length !== 0,
    ),
  ),
  model: body.model,
  stream: body.stream ?? true,
  ...(body.think && { think: true }),
  messages: body.messages.map((message) => ({
    ...message,
    ...(message.tool_calls && {
      tool_calls: message.tool_calls.map((call) => ({ id: 'made_up', ...call })),
    }),
    ...(message.role === 'tool' && { tool_call_id: message.tool_call_id ?? 'made_up' }),
  })),
  truncate: false,
  shift: false,
});

describe('recorded requests', () => {
  it.each(cases)('recorded request $name is reproduced by encodeRequest', ({ body }) => {
    const { body: encoded, warnings } = encodeWishes(read(body), body.model, body.stream ?? true);
    expect(encoded).toEqual(normalize(body));
    expect(warnings).toEqual([]);
  });
});
