import type { AssistantPart } from '../../canonical/content.ts';
import type { CanonicalResponse } from '../../canonical/response.ts';
import { cut } from '../../testing/plain-answers.ts';

const partsOf = ({ choices }: CanonicalResponse) => choices[0]?.parts ?? [];

const writeLast = ({ choices, usage }: CanonicalResponse) => ({
  done: true,
  done_reason: choices[0]?.finish.reason === 'length' ? 'length' : 'stop',
  ...(usage && {
    prompt_eval_count: usage.inputTokens + usage.cacheReadTokens,
    eval_count: usage.outputTokens,
  }),
});

const head = { model: 'qwen3:8b', created_at: '2026-09-01T10:00:00.123456789Z' };

function writeCall(part: AssistantPart): object[] {
  if (part.type !== 'tool-call') return [];
  return [{ id: part.id, function: { name: part.name, arguments: JSON.parse(part.arguments) } }];
}

const textOf = (parts: readonly AssistantPart[], type: 'text' | 'reasoning') =>
  parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');

export function writeWhole(response: CanonicalResponse): Buffer {
  const parts = partsOf(response);
  const message = {
    role: 'assistant',
    content: textOf(parts, 'text'),
    thinking: textOf(parts, 'reasoning'),
    tool_calls: parts.flatMap(writeCall),
  };
  return Buffer.from(JSON.stringify({ ...head, message, ...writeLast(response) }));
}

export function writeStream(response: CanonicalResponse, pieceLength: number): Buffer {
  const messages = [
    ...partsOf(response).flatMap((part): object[] => {
      if (part.type === 'text') return cut(part.text, pieceLength).map((content) => ({ content }));
      if (part.type === 'reasoning')
        return cut(part.text, pieceLength).map((thinking) => ({ content: '', thinking }));
      return [{ content: '', tool_calls: writeCall(part) }];
    }),
  ].map((message) => ({ ...head, message: { role: 'assistant', ...message }, done: false }));
  const last = { ...head, message: { role: 'assistant', content: '' }, ...writeLast(response) };
  return Buffer.from([...messages, last].map((line) => `${JSON.stringify(line)}\n`).join(''));
}
