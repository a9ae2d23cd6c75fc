import { type Answer, type Choice, type Finish, type Part, textOf } from '../generation/answer.ts';

/** Fields of a response other than its message. */
export interface Envelope {
  id: string;
  callId: string;
  showsUsage: boolean;
}

const finishReasons: Record<Finish, string> = {
  stop: 'COMPLETE',
  stop_sequence: 'STOP_SEQUENCE',
  length: 'MAX_TOKENS',
  tool_call: 'TOOL_CALL',
  refusal: 'ERROR_TOXIC',
  blocked: 'ERROR_TOXIC',
};

/** Returns the body of a chat that is not streamed. */
export function encodeWhole(envelope: Envelope, answer: Answer): string {
  const message = answer.choices.map((choice) => encodeMessage(choice, envelope)).at(0);
  return JSON.stringify({ id: envelope.id, message, ...encodeEnd(envelope, answer) });
}

/** Returns the finish reason and the usage. */
export function encodeEnd({ showsUsage }: Envelope, answer: Answer) {
  const finish = answer.choices[0]?.finish ?? 'stop';
  return {
    finish_reason: finishReasons[finish],
    ...(showsUsage && { usage: encodeUsage(answer) }),
  };
}

/** Whether a part is the plan for tool calls: text before calls is not content. */
export function isPlan(part: Part, { parts }: Choice): boolean {
  return part.kind === 'text' && parts.some(({ kind }) => kind === 'tool-call');
}

export function toolCallId({ callId }: Envelope, name: string, index: number): string {
  return `${name}_${callId}${index}`;
}

function encodeMessage(choice: Choice, envelope: Envelope) {
  const { parts } = choice;
  const plan = parts.some((part) => isPlan(part, choice)) ? textOf(choice, 'text') : null;
  const calls = parts.flatMap((part) =>
    part.kind === 'tool-call' ? [{ name: part.name, arguments: part.pieces.join('') }] : [],
  );
  const content = parts
    .filter((part) => part.kind !== 'tool-call' && !isPlan(part, choice))
    .map(encodeContent);
  return {
    role: 'assistant',
    ...((content.length > 0 || calls.length === 0) && { content }),
    ...(plan !== null && { tool_plan: plan }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, index) => ({
        id: toolCallId(envelope, call.name, index),
        type: 'function',
        function: call,
      })),
    }),
  };
}

function encodeContent({ kind, pieces }: Part) {
  const text = pieces.join('');
  return kind === 'reasoning' ? { type: 'thinking', thinking: text } : { type: 'text', text };
}

function encodeUsage({ promptTokens, completionTokens, reasoningTokens, cachedTokens }: Answer) {
  const tokens = { input_tokens: promptTokens, output_tokens: completionTokens };
  return {
    billed_units: tokens,
    tokens: { ...tokens, ...(reasoningTokens > 0 && { reasoning_tokens: reasoningTokens }) },
    cached_tokens: cachedTokens,
  };
}
