import { describe, expect, it } from 'vitest';
import { readWireCases } from '#test/requests/wire-cases.ts';
import type { AssistantPart, DocumentPart, Message, UserPart } from '../canonical/content.ts';
import type { CanonicalRequest, ToolChoice } from '../canonical/request.ts';
import { readDataUrl } from '../data-url.ts';
import { type EncodedBody, encodeWishes } from './testing/exchange.ts';

const accepted = readWireCases('cohere')
  .filter(({ endpoint, request }) => endpoint === 'chat' && request !== null)
  // safe because the assertions below fail for any other shape
  .map(({ name, request }) => ({ name, body: request?.body as WireRequest }));

interface WirePart {
  type: string;
  text?: string;
  thinking?: string;
  image_url?: { url: string };
  document?: WireDocument;
}
interface WireDocument {
  data: { title?: string; text: string };
}
interface WireMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content?: string | WirePart[];
  tool_plan?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}
interface WireRequest {
  model: string;
  stream: boolean;
  messages: WireMessage[];
  documents?: WireDocument[];
  tools?: { function: { name: string; description?: string; parameters: Record<string, unknown> } }[];
  tool_choice?: 'REQUIRED' | 'NONE';
  stop_sequences?: string[];
  max_tokens?: number;
  thinking?: { type: string };
  response_format?: { json_schema: Record<string, unknown> };
}

const listParts = (content: WireMessage['content']) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

const readDocument = ({ data: { title, text } }: WireDocument): DocumentPart => ({
  type: 'document',
  source: { kind: 'text', text },
  ...(title !== undefined && { name: title }),
});

const readUserPart = ({ type, text = '', image_url: image, document }: WirePart) => {
  if (document) return readDocument(document);
  if (type === 'text') return { type: 'text' as const, text };
  return { type: 'image' as const, source: { kind: 'data' as const, ...readDataUrl(image!.url)! } };
};

const readMessage = (message: WireMessage): Message => {
  const parts = listParts(message.content);
  const texts = parts.map(({ text = '' }) => ({ type: 'text' as const, text }));
  switch (message.role) {
    case 'system':
      return { role: 'system', parts: texts };
    case 'user':
      return { role: 'user', parts: parts.map(readUserPart) };
    case 'tool': {
      const result = {
        type: 'tool-result',
        callId: message.tool_call_id!,
        parts: parts.map(readUserPart),
        isError: false,
      };
      // safe because recorded tool results contain only user parts
      return { role: 'user', parts: [result as UserPart] };
    }
    case 'assistant':
      return { role: 'assistant', parts: readAssistant(message) };
  }
};

const readAssistant = ({
  content,
  tool_plan: plan,
  tool_calls: calls = [],
}: WireMessage): AssistantPart[] => [
  ...(plan ? [{ type: 'reasoning' as const, text: plan, isRedacted: false }] : []),
  ...listParts(content).map(
    ({ thinking, text = '' }): AssistantPart =>
      thinking ? { type: 'reasoning', text: thinking, isRedacted: false } : { type: 'text', text },
  ),
  ...calls.map(
    ({ id, function: { name, arguments: json } }): AssistantPart => ({
      type: 'tool-call',
      id,
      name,
      arguments: json,
    }),
  ),
];

const withDocuments = (messages: Message[], documents: DocumentPart[]): Message[] => {
  const last = messages.at(-1)!;
  if (last.role !== 'user') return messages;
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts, ...documents] }];
};

const choices: Record<string, ToolChoice> = { REQUIRED: { kind: 'required' }, NONE: { kind: 'none' } };

const read = (body: WireRequest): Partial<CanonicalRequest> => ({
  messages: withDocuments(body.messages.map(readMessage), (body.documents ?? []).map(readDocument)),
  tools: (body.tools ?? []).map(({ function: tool }) => tool),
  stop: body.stop_sequences ?? [],
  ...(body.tool_choice && { toolChoice: choices[body.tool_choice]! }),
  ...(body.max_tokens && { outputTokensMax: body.max_tokens }),
  ...(body.thinking && { reasoning: {} }),
  ...(body.response_format && {
    responseFormat: { kind: 'json-schema', name: 'answer', schema: body.response_format.json_schema },
  }),
});

const normalize = (body: WireRequest | EncodedBody) => ({
  ...body,
  messages: body.messages.map(({ content, ...message }) => ({
    ...message,
    // safe because both bodies come from requests that Cohere accepts
    content: listParts(content as WireMessage['content']).filter(({ type, text }) => type !== 'text' || text),
  })),
});

describe('recorded requests', () => {
  it.each(accepted)('recorded request $name is reproduced by encodeRequest', ({ body }) => {
    const { body: encoded, warnings } = encodeWishes(read(body), body.model, body.stream);
    expect(normalize(encoded)).toEqual(normalize(body));
    expect(warnings).toEqual([]);
  });
});
