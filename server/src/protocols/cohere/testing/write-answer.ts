import type { AssistantPart } from '../../canonical/content.ts';
import type { CanonicalResponse } from '../../canonical/response.ts';
import type { Usage } from '../../canonical/usage.ts';
import { cut } from '../../testing/plain-answers.ts';

const words = { stop: 'COMPLETE', length: 'MAX_TOKENS', 'tool-calls': 'TOOL_CALL' } as const;

const finishOf = ({ choices }: CanonicalResponse) => {
  const reason = choices[0]?.finish.reason;
  return reason === 'length' || reason === 'tool-calls' ? words[reason] : words.stop;
};
const partsOf = ({ choices }: CanonicalResponse) => choices[0]?.parts ?? [];

function writeUsage(usage: Usage | null): object | null {
  return (
    usage && {
      billed_units: { input_tokens: 1, output_tokens: 1 },
      tokens: {
        input_tokens: usage.inputTokens + usage.cacheReadTokens,
        output_tokens: usage.outputTokens,
        reasoning_tokens: usage.reasoningTokens,
      },
      cached_tokens: usage.cacheReadTokens,
    }
  );
}

export function writeWhole(response: CanonicalResponse): Buffer {
  const parts = partsOf(response);
  const body = {
    id: response.id,
    message: {
      role: 'assistant',
      content: parts.flatMap((part): object[] => {
        if (part.type === 'text') return [{ type: 'text', text: part.text }];
        return part.type === 'reasoning' ? [{ type: 'thinking', thinking: part.text }] : [];
      }),
      tool_calls: parts.flatMap((part) =>
        part.type === 'tool-call'
          ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } }]
          : [],
      ),
    },
    finish_reason: finishOf(response),
    usage: writeUsage(response.usage),
  };
  return Buffer.from(JSON.stringify(body));
}

export function writeStream(response: CanonicalResponse, pieceLength: number): Buffer {
  const start = { type: 'message-start', id: response.id, delta: { message: { role: 'assistant' } } };
  const events: WrittenEvent[] = [
    start,
    ...partsOf(response).flatMap((part, index) => writePart(part, index, pieceLength)),
    {
      type: 'message-end',
      delta: { finish_reason: finishOf(response), usage: writeUsage(response.usage) },
    },
  ];
  return writeEvents(events);
}

interface WrittenEvent {
  readonly type: string;
  readonly index?: number;
  readonly delta?: object;
}

export function writeEvents(events: readonly WrittenEvent[]): Buffer {
  return Buffer.from(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
}

function writePart(part: AssistantPart, index: number, pieceLength: number): WrittenEvent[] {
  if (part.type === 'tool-call') {
    const { id, name, arguments: json } = part;
    const first = { id, type: 'function', function: { name, arguments: '' } };
    return [
      { type: 'tool-call-start', index, delta: { message: { tool_calls: first } } },
      ...cut(json === '{}' ? '' : json, pieceLength).map((piece) => ({
        type: 'tool-call-delta',
        index,
        delta: { message: { tool_calls: { function: { arguments: piece } } } },
      })),
      { type: 'tool-call-end', index },
    ];
  }
  // Cohere's models generate no images.
  if (part.type === 'image') return [];
  const field = part.type === 'reasoning' ? 'thinking' : 'text';
  return [
    { type: 'content-start', index, delta: { message: { content: { type: field, [field]: '' } } } },
    ...cut(part.text, pieceLength).map((piece) => ({
      type: 'content-delta',
      index,
      delta: { message: { content: { [field]: piece } } },
    })),
    { type: 'content-end', index },
  ];
}
