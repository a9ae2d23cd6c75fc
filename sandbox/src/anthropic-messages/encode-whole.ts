import { type Answer, argumentsOf, type Finish, type Part } from '../generation/answer.ts';
import { sign } from '../generation/signature.ts';

/** Fields of a message other than its content. */
export interface Envelope {
  id: string;
  model: string;
  showsUsage: boolean;
  /** Whether thinking is returned without its text, but with its signature. */
  hidesThoughts: boolean;
  cacheTtl: '5m' | '1h';
}

export const stopReasons: Record<Finish, string> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_call: 'tool_use',
  refusal: 'refusal',
  blocked: 'refusal',
};

/** Returns the body of a message that is not streamed. */
export function encodeWhole(envelope: Envelope, answer: Answer): string {
  const parts = answer.choices.flatMap((choice) => choice.parts);
  return JSON.stringify({
    ...encodeHead(envelope),
    content: parts.map((part, index) => encodeBlock(part, index, envelope)),
    ...encodeEnd(answer),
    ...(envelope.showsUsage && { usage: encodeUsage(envelope, answer) }),
  });
}

export function encodeHead({ id, model }: Envelope) {
  return { model, id: `msg_${id}`, type: 'message', role: 'assistant' };
}

export function encodeEnd({ choices }: Answer) {
  const { finish = 'stop', stopSequence = null } = choices[0] ?? {};
  return {
    stop_reason: stopReasons[finish],
    stop_sequence: stopSequence,
    stop_details: null,
  };
}

/** Returns the usage in buckets that do not overlap. */
export function encodeCounts({ reasoningTokens, ...answer }: Answer) {
  return {
    input_tokens: answer.promptTokens - answer.cachedTokens - answer.cacheWriteTokens,
    cache_creation_input_tokens: answer.cacheWriteTokens,
    cache_read_input_tokens: answer.cachedTokens,
    output_tokens: answer.completionTokens,
    ...(reasoningTokens > 0 && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}

export function encodeUsage({ cacheTtl }: Envelope, answer: Answer) {
  const written = answer.cacheWriteTokens;
  return {
    ...encodeCounts(answer),
    cache_creation: {
      ephemeral_5m_input_tokens: cacheTtl === '5m' ? written : 0,
      ephemeral_1h_input_tokens: cacheTtl === '1h' ? written : 0,
    },
    service_tier: 'standard',
    inference_geo: 'not_available',
  };
}

export function encodeToolUse(
  part: Part & { kind: 'tool-call' },
  index: number,
  envelope: Envelope,
  input: unknown,
) {
  const id = `toolu_${envelope.id}_${index}`;
  return { type: 'tool_use', id, name: part.name, input, caller: { type: 'direct' } };
}

/** Returns the visible text of thinking and the signature of that text. */
export function encodeThoughts({ pieces }: Part, { hidesThoughts }: Envelope) {
  const thinking = hidesThoughts ? '' : pieces.join('');
  return { thinking, signature: sign(thinking) };
}

function encodeBlock(part: Part, index: number, envelope: Envelope) {
  switch (part.kind) {
    case 'reasoning':
      return { type: 'thinking', ...encodeThoughts(part, envelope) };
    case 'tool-call':
      return encodeToolUse(part, index, envelope, argumentsOf(part));
    default:
      return { type: 'text', text: part.pieces.join('') };
  }
}
