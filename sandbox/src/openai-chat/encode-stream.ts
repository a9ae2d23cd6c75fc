import type { EventStream } from '../delivery/stream.ts';
import type { Answer, Choice } from '../generation/answer.ts';
import { type Envelope, encodeUsage, finishReasons, toolCallId } from './encode-completion.ts';

/** The events of a streamed completion: usage comes last and only when the client asked for it. */
export function encodeStream(envelope: Envelope, answer: Answer, includesUsage: boolean): EventStream {
  const { id, created, model } = envelope;
  const head = JSON.stringify({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    service_tier: 'default',
    system_fingerprint: null,
  }).slice(0, -1);
  const tail = includesUsage ? ',"usage":null}\n\n' : '}\n\n';
  // Only the delta differs between the thousands of events of an answer, so only the delta is encoded for each.
  const chunk = (index: number, delta: string, finishReason = 'null') =>
    `data: ${head},"choices":[{"index":${index},"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}]${tail}`;

  const closing = answer.choices.map(({ finish }, index) => chunk(index, '{}', `"${finishReasons[finish]}"`));
  if (includesUsage)
    closing.push(`data: ${head},"choices":[],"usage":${JSON.stringify(encodeUsage(answer))}}\n\n`);
  closing.push('data: [DONE]\n\n');
  return {
    opening: answer.choices.map((choice, index) => chunk(index, openingDelta(choice, toolCallId(id, index)))),
    tokens: encodeTokens(answer.choices, chunk),
    closing,
  };
}

function openingDelta({ toolName }: Choice, callId: string): string {
  if (toolName === null) return '{"role":"assistant","content":"","refusal":null}';
  const toolCall = { index: 0, id: callId, type: 'function', function: { name: toolName, arguments: '' } };
  return JSON.stringify({ role: 'assistant', content: null, tool_calls: [toolCall], refusal: null });
}

/** One event per token; several choices take turns, as they would when they were generated side by side. */
function* encodeTokens(
  choices: Choice[],
  chunk: (index: number, delta: string) => string,
): Generator<string> {
  const rounds = Math.max(...choices.map(({ pieces }) => pieces.length));
  for (let round = 0; round < rounds; round++) {
    for (const [index, { pieces, toolName }] of choices.entries()) {
      const piece = pieces[round];
      if (piece === undefined) continue;
      const text = JSON.stringify(piece);
      yield chunk(
        index,
        toolName === null
          ? `{"content":${text}}`
          : `{"tool_calls":[{"index":0,"function":{"arguments":${text}}}]}`,
      );
    }
  }
}
