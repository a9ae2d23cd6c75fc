import { eventStream, type Frame, type FrameStream } from '../delivery/stream.ts';
import { type Answer, type Choice, type Finish, type Part, textOf } from '../generation/answer.ts';
import { problemOf } from '../request/problem.ts';

/** Fields of a response other than its message. */
interface Envelope {
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

export function encodeWhole(envelope: Envelope, answer: Answer): string {
  const message = answer.choices.map((choice) => encodeMessage(choice, envelope)).at(0);
  return JSON.stringify({ id: envelope.id, message, ...encodeEnd(envelope, answer) });
}

function encodeEnd({ showsUsage }: Envelope, answer: Answer) {
  const finish = answer.choices[0]?.finish ?? 'stop';
  return {
    finish_reason: finishReasons[finish],
    ...(showsUsage && { usage: encodeUsage(answer) }),
  };
}

/** Whether a part is the plan for tool calls. In Cohere's format, text before calls is a plan and not content. */
function isPlan(part: Part, { parts }: Choice): boolean {
  return part.kind === 'text' && parts.some(({ kind }) => kind === 'tool-call');
}

function toolCallId({ callId }: Envelope, name: string, index: number): string {
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

type Fields = Record<string, unknown>;

/** Orders events: contents, then a plan and the calls, then the finish reason. */
export function encodeStream(envelope: Envelope, answer: Answer): FrameStream {
  const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
  const end = (delta: object) => event('message-end', { delta }).data;
  return {
    ...eventStream,
    opening: [event('message-start', { delta: { message } }, 0, { id: envelope.id })],
    body: encodeChoices(envelope, answer.choices),
    closing: () => [`${end(encodeEnd(envelope, answer))}`, 'data: [DONE]\n\n'],
    error: () => end({ error: problemOf('internal_error').message, finish_reason: 'ERROR' }),
  };
}

function* encodeChoices(envelope: Envelope, choices: Choice[]): Generator<Frame> {
  for (const choice of choices) {
    let contentCount = 0;
    let callCount = 0;
    for (const part of choice.parts) {
      if (part.kind === 'tool-call') yield* encodeCall(part, callCount++, envelope);
      else if (isPlan(part, choice)) yield* encodePlan(part);
      else yield* streamContent(part, contentCount++);
    }
  }
}

function* encodePlan({ pieces }: Part): Generator<Frame> {
  for (const piece of pieces) yield event('tool-plan-delta', { delta: { message: { tool_plan: piece } } }, 1);
}

function* streamContent({ kind, pieces }: Part, index: number): Generator<Frame> {
  const name = kind === 'reasoning' ? 'thinking' : 'text';
  const content = (fields: Fields) => ({ index, delta: { message: { content: fields } } });
  yield event('content-start', content({ type: name, [name]: '' }));
  for (const piece of pieces) yield event('content-delta', content({ [name]: piece }), 1);
  yield event('content-end', { index });
}

function* encodeCall(
  part: Part & { kind: 'tool-call' },
  index: number,
  envelope: Envelope,
): Generator<Frame> {
  const calls = (fields: Fields) => ({ index, delta: { message: { tool_calls: fields } } });
  const start = { type: 'function', function: { name: part.name, arguments: '' } };
  // Calls without arguments have no argument fragments.
  const isEmpty = part.pieces.join('') === '{}';
  const opening = calls({ id: toolCallId(envelope, part.name, index), ...start });
  yield event('tool-call-start', opening, isEmpty ? part.pieces.length : 0);
  for (const piece of isEmpty ? [] : part.pieces)
    yield event('tool-call-delta', calls({ function: { arguments: piece } }), 1);
  yield event('tool-call-end', { index });
}

function event(type: string, fields: Fields, tokens = 0, head: Fields = {}): Frame {
  return { data: `event: ${type}\ndata: ${JSON.stringify({ ...head, type, ...fields })}\n\n`, tokens };
}
