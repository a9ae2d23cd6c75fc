import type { Frame, FrameStream } from '../delivery/stream.ts';
import { type Answer, argumentsOf, type Part, textOf } from '../generation/answer.ts';
import type { WireError } from '../http/vendor.ts';
import { type Problem, problemOf } from '../request/problem.ts';

const forms: Record<Problem['kind'], { status: number; message?: string }> = {
  invalid: { status: 400 },
  too_large: { status: 413 },
  unknown_model: { status: 404 },
  unknown_path: { status: 404 },
  key_missing: { status: 401, message: 'unauthorized' },
  key_wrong: { status: 401, message: 'unauthorized' },
  key_refused: { status: 401, message: 'unauthorized' },
  rate_limited: { status: 429 },
  internal_error: { status: 500 },
  overloaded: { status: 503, message: 'server busy, please try again. maximum pending requests exceeded' },
  defect: { status: 500 },
};

/** Errors inside a stream have the same format. */
export function encodeError(problem: Problem): WireError {
  return { status: forms[problem.kind].status, body: describeError(problem) };
}

function describeError({ kind, param, message }: Problem): { error: string } {
  return { error: forms[kind].message ?? (param === null ? message : `${param}: ${message}`) };
}

/** Fields that each line of a response repeats. */
export interface Envelope {
  id: string;
  model: string;
  createdAt: string;
  showsUsage: boolean;
  isLoad: boolean;
}

export function encodeWhole(envelope: Envelope, answer: Answer): string {
  const [choice] = answer.choices;
  const parts = choice?.parts ?? [];
  const thinking = choice ? textOf(choice, 'reasoning') : '';
  const calls = parts.flatMap((part) => (part.kind === 'tool-call' ? [part] : []));
  const message = {
    role: 'assistant',
    content: choice ? textOf(choice, 'text') + textOf(choice, 'refusal') : '',
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((part, index) => encodeCall(envelope, part, index)),
    }),
  };
  return JSON.stringify({ ...encodeHead(envelope), message, ...encodeEnd(envelope, answer) });
}

/** Usage is always included. */
export function encodeStream(envelope: Envelope, answer: Answer): FrameStream {
  const last = { ...encodeHead(envelope), message: { role: 'assistant', content: '' } };
  return {
    contentType: 'application/x-ndjson',
    frameEnd: '\n',
    opening: [],
    body: encodeParts(
      envelope,
      answer.choices.flatMap(({ parts }) => parts),
    ),
    closing: () => [`${JSON.stringify({ ...last, ...encodeEnd(envelope, answer) })}\n`],
    error: () => `${JSON.stringify(describeError(problemOf('internal_error')))}\n`,
  };
}

function* encodeParts(envelope: Envelope, parts: Part[]): Generator<Frame> {
  const line = (message: object, tokens: number): Frame => {
    const payload = { ...encodeHead(envelope), message: { role: 'assistant', ...message }, done: false };
    return { data: `${JSON.stringify(payload)}\n`, tokens };
  };
  let callCount = 0;
  for (const part of parts) {
    if (part.kind === 'tool-call') {
      const call = encodeCall(envelope, part, callCount++);
      yield line({ content: '', tool_calls: [call] }, part.pieces.length);
      continue;
    }
    const isThought = part.kind === 'reasoning';
    for (const piece of part.pieces)
      yield line(isThought ? { content: '', thinking: piece } : { content: piece }, 1);
  }
}

function encodeHead({ model, createdAt }: Envelope) {
  return { model, created_at: createdAt };
}

function encodeCall({ id }: Envelope, part: Part & { kind: 'tool-call' }, index: number) {
  return { id: `call_${id}_${index}`, function: { index, name: part.name, arguments: argumentsOf(part) } };
}

/** Durations are invented but never zero. A fully cached prompt is not counted. */
function encodeEnd({ showsUsage, isLoad }: Envelope, answer: Answer) {
  const { promptTokens, cachedTokens, completionTokens } = answer;
  const reason = answer.choices[0]?.finish === 'length' ? 'length' : 'stop';
  if (isLoad) return { done: true, done_reason: 'load' };
  return {
    done: true,
    done_reason: reason,
    total_duration: 1_000_000 * (1 + promptTokens + completionTokens),
    load_duration: 1_000_000,
    ...(showsUsage && cachedTokens < promptTokens && { prompt_eval_count: promptTokens }),
    prompt_eval_duration: 1_000_000 * promptTokens,
    ...(showsUsage && { eval_count: completionTokens }),
    eval_duration: 1_000_000 * completionTokens,
  };
}
