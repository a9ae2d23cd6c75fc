import { eventStream, type Frame, type FrameStream } from '../delivery/stream.ts';
import type { Answer, Choice, Part } from '../generation/answer.ts';
import { seal } from '../generation/signature.ts';
import { objectsIn } from '../request/checks.ts';
import { chooseFunctions } from './tools.ts';

const prefixes = { reasoning: 'rs', message: 'msg', function_call: 'fc' };

/**
 * Returns the id of an output item. The id of an item after reasoning ends with `r`, because the next input must
 * contain the item and its reasoning.
 */
function itemId(
  kind: keyof typeof prefixes,
  callId: string,
  index: number,
  isAfterThoughts: boolean,
): string {
  return `${prefixes[kind]}_${callId}_${index}${isAfterThoughts ? 'r' : ''}`;
}

/** Returns the id of the reasoning item that must accompany an item in the next input, or `null`. */
export function requiredThoughts(id: unknown): string | null {
  const [, callId] = /^(?:msg|fc)_(\d+)_\d+r$/.exec(String(id)) ?? [];
  return callId === undefined ? null : itemId('reasoning', callId, 0, false);
}

/** Data that is needed to encode a response, in addition to its text. */
export interface Envelope {
  callId: string;
  /** Seconds since the epoch. */
  created: number;
  model: string;
  body: Record<string, unknown>;
  showsUsage: boolean;
  showsThoughts: boolean;
  givesThoughtsBack: boolean;
}

export type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed';

export function encodeWhole(envelope: Envelope, answer: Answer): string {
  return JSON.stringify(encodeResponse(envelope, statusOf(answer), answer));
}

function statusOf({ choices }: Answer): Status {
  const finish = choices[0]?.finish;
  return finish === 'length' || finish === 'blocked' ? 'incomplete' : 'completed';
}

/** The output is empty until there is an answer. */
function encodeResponse(envelope: Envelope, status: Status, answer: Answer | null) {
  const { callId, created, model, body, showsUsage } = envelope;
  const choice = answer?.choices[0];
  const reason = choice?.finish === 'blocked' ? 'content_filter' : 'max_output_tokens';
  return {
    id: `resp_${callId}`,
    object: 'response',
    created_at: created,
    status,
    background: false,
    completed_at: status === 'completed' ? created : null,
    error: status === 'failed' ? { code: 'server_error', message: 'The sandbox failed on purpose.' } : null,
    frequency_penalty: 0,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model,
    output: choice ? encodeItems(envelope, choice) : [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    prompt_cache_retention: body.prompt_cache_retention ?? null,
    reasoning: { effort: null, summary: null, ...Object(body.reasoning) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: { type: 'text' }, verbosity: 'medium', ...Object(body.text) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: objectsIn(body.tools).map(repeatTool),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: answer && showsUsage ? encodeUsage(answer) : null,
    user: body.user ?? null,
    metadata: body.metadata ?? {},
  };
}

function encodeItems(envelope: Envelope, { parts, finish }: Choice) {
  const status = finish === 'length' ? 'incomplete' : 'completed';
  return parts.map((part, index) => {
    const isCut = index === parts.length - 1 && status === 'incomplete';
    return encodeItem(envelope, parts, part, index, isCut ? status : 'completed');
  });
}

/** Returns a tool as repeated in the response, with defaults for missing fields. */
function repeatTool(tool: Record<string, unknown>) {
  return tool.type === 'function' ? { description: null, parameters: null, strict: true, ...tool } : tool;
}

/** The item is empty while in progress. */
function encodeItem(envelope: Envelope, parts: Part[], part: Part, index: number, status: Status) {
  const isEmpty = status === 'in_progress';
  const text = isEmpty ? '' : part.pieces.join('');
  const isAfterThoughts = index > 0 && parts[0]?.kind === 'reasoning';
  const idOf = (kind: 'reasoning' | 'message' | 'function_call') =>
    itemId(kind, envelope.callId, index, isAfterThoughts);
  switch (part.kind) {
    case 'reasoning':
      return {
        id: idOf('reasoning'),
        type: 'reasoning',
        ...(envelope.givesThoughtsBack && { encrypted_content: seal(part.pieces.join('')) }),
        summary: isEmpty || !envelope.showsThoughts ? [] : [{ type: 'summary_text', text }],
      };
    case 'tool-call': {
      const id = idOf('function_call');
      const callId = `call_${envelope.callId}_${index}`;
      const { namespace } = chooseFunctions(envelope.body).find(({ name }) => name === part.name) ?? {};
      const called = { name: part.name, ...(namespace !== undefined && { namespace }) };
      return { id, type: 'function_call', status, arguments: text, call_id: callId, ...called };
    }
    default: {
      const content = isEmpty ? [] : [encodeContent(part, text)];
      return { id: idOf('message'), type: 'message', status, content, role: 'assistant' };
    }
  }
}

function encodeContent({ kind }: Part, text: string) {
  if (kind === 'refusal') return { type: 'refusal', refusal: text };
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

function encodeUsage(answer: Answer) {
  return {
    input_tokens: answer.promptTokens,
    input_tokens_details: { cached_tokens: answer.cachedTokens },
    output_tokens: answer.completionTokens,
    output_tokens_details: { reasoning_tokens: answer.reasoningTokens },
    total_tokens: answer.promptTokens + answer.completionTokens,
  };
}

type Fields = Record<string, unknown>;

const padding = 'h7Kq2ZtW9sXp4LmD';

/** Encodes events with consecutive sequence numbers. */
type Writer = (type: string, payload: Fields, tokens?: number) => Frame;

/** Streams each item in deltas and then repeats the item as a whole. The last event repeats the whole response. */
export function encodeStream(envelope: Envelope, answer: Answer): FrameStream {
  const write = createWriter();
  const about = (type: string, ...state: Parameters<typeof encodeResponse>) =>
    write(type, { response: encodeResponse(...state) });
  const status = statusOf(answer);
  const parts = answer.choices.flatMap((choice) => choice.parts);
  return {
    ...eventStream,
    opening: ['response.created', 'response.in_progress'].map((type) =>
      about(type, envelope, 'in_progress', null),
    ),
    body: streamItems(envelope, parts, status === 'incomplete', write),
    closing: () => [about(`response.${status}`, envelope, status, answer).data],
    error: () => about('response.failed', envelope, 'failed', null).data,
  };
}

function createWriter(): Writer {
  let sequence = 0;
  return (type, payload, tokens = 0) => {
    const data = JSON.stringify({ type, sequence_number: sequence++, ...payload });
    return { data: `event: ${type}\ndata: ${data}\n\n`, tokens };
  };
}

function* streamItems(envelope: Envelope, parts: Part[], isCut: boolean, write: Writer): Generator<Frame> {
  for (const [index, part] of parts.entries()) {
    const place = { output_index: index };
    const item = encodeItem(envelope, parts, part, index, 'in_progress');
    yield write('response.output_item.added', { ...place, item });
    yield* encodePart(envelope, part, { item_id: item.id, ...place }, write);
    const status = isCut && index === parts.length - 1 ? 'incomplete' : 'completed';
    const whole = encodeItem(envelope, parts, part, index, status);
    const silentTokens = part.kind === 'reasoning' && !envelope.showsThoughts ? part.pieces.length : 0;
    yield write('response.output_item.done', { ...place, item: whole }, silentTokens);
  }
}

function* encodePart(envelope: Envelope, part: Part, place: Fields, write: Writer): Generator<Frame> {
  const text = part.pieces.join('');
  switch (part.kind) {
    case 'reasoning': {
      if (!envelope.showsThoughts) return;
      const at = { ...place, summary_index: 0 };
      const summary = (words: string) => ({ part: { type: 'summary_text', text: words } });
      yield write('response.reasoning_summary_part.added', { ...at, ...summary('') });
      yield* encodeDeltas('response.reasoning_summary_text.delta', part, at, write);
      yield write('response.reasoning_summary_text.done', { ...at, text });
      yield write('response.reasoning_summary_part.done', { ...at, ...summary(text) });
      return;
    }
    case 'tool-call':
      yield* encodeDeltas('response.function_call_arguments.delta', part, place, write);
      yield write('response.function_call_arguments.done', { ...place, arguments: text });
      return;
    default: {
      const at = { ...place, content_index: 0 };
      const isRefusal = part.kind === 'refusal';
      const name = isRefusal ? 'response.refusal' : 'response.output_text';
      const extra = isRefusal ? {} : { logprobs: [] };
      yield write('response.content_part.added', { ...at, part: encodeContent(part, '') });
      yield* encodeDeltas(`${name}.delta`, part, { ...at, ...extra }, write);
      yield write(`${name}.done`, { ...at, [isRefusal ? 'refusal' : 'text']: text, ...extra });
      yield write('response.content_part.done', { ...at, part: encodeContent(part, text) });
    }
  }
}

function* encodeDeltas(type: string, { pieces }: Part, place: Fields, write: Writer): Generator<Frame> {
  // Padding hides the length of tokens from eavesdroppers.
  for (const delta of pieces)
    yield write(type, { ...place, delta, obfuscation: padding.slice(delta.length % padding.length) }, 1);
}
