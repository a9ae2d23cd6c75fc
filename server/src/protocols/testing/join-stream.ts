import { isObject, parseObject } from '#json/json-value.ts';
import type { ProtocolId } from '../canonical/content.ts';

type Fields = Record<string, unknown>;

/**
 * Returns the complete response that a provider would send with the content of a stream; `null` for an incomplete
 * stream. Does not use the decoders, so that both can be compared.
 */
export function joinStream(id: ProtocolId, datas: readonly string[]): object | null {
  const events = datas.filter((data) => data !== '' && data !== '[DONE]').map(readEvent);
  return joiners[id](events);
}

function readEvent(data: string): Fields {
  return { ...parseObject(data) };
}

const joiners: Readonly<Record<ProtocolId, (events: readonly Fields[]) => object | null>> = {
  'openai-chat': joinChunks,
  'openai-responses': joinResponse,
  'anthropic-messages': joinMessage,
  gemini: joinCandidates,
  cohere: joinCohere,
  ollama: joinLines,
};

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? { ...value } : {};
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject).map(fieldsOf) : [];
}

function append(to: Fields, piece: Fields, texts: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(piece)) {
    const before = to[name];
    if (texts.has(name) && typeof before === 'string' && typeof value === 'string') to[name] = before + value;
    else if (Array.isArray(before) && Array.isArray(value)) to[name] = [...before, ...value];
    else if (value != null || before === undefined) to[name] = value;
  }
}

const messageTexts = new Set([
  'content',
  'refusal',
  'reasoning',
  'reasoning_content',
  'thinking',
  'tool_plan',
]);
const callTexts = new Set(['arguments', 'text', 'summary']);

function joinChunks(chunks: readonly Fields[]): object | null {
  const whole: Fields = {};
  const choices = new Map<unknown, Fields>();
  for (const { choices: given, ...facts } of chunks) {
    append(whole, facts, new Set());
    // Perplexity's chunks repeat the message so far.
    for (const { delta, index = 0, message: _, ...choice } of listOf(given)) {
      const known: Fields = choices.get(index) ?? { index, message: {} };
      choices.set(index, known);
      append(known, choice, new Set());
      growMessage(fieldsOf(delta), known);
    }
  }
  const list = [...choices.values()];
  if (list.length === 0) return whole.id === undefined ? whole : null;
  const isWhole = list.every((choice) => choice.finish_reason);
  return isWhole || whole.error ? { ...whole, choices: list } : null;
}

function growMessage(
  { tool_calls: calls, reasoning_details: details, ...delta }: Fields,
  choice: Fields,
): void {
  const message = fieldsOf(choice.message);
  const content = delta.content;
  if (content !== undefined && Array.isArray(content) !== Array.isArray(message.content) && message.content)
    message.content = [...toParts(message.content), ...toParts(content)];
  else append(message, { content }, messageTexts);
  const { content: _, ...others } = delta;
  append(message, others, messageTexts);
  if (calls) message.tool_calls = growCalls(listOf(message.tool_calls), listOf(calls));
  if (details) message.reasoning_details = growDetails(listOf(message.reasoning_details), listOf(details));
  choice.message = message;
}

function toParts(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  return content ? [{ type: 'text', text: content }] : [];
}

function growCalls(calls: Fields[], pieces: readonly Fields[]): Fields[] {
  for (const { function: called, ...piece } of pieces) {
    const last = calls.findLast(({ index }) => piece.index == null || index === piece.index);
    const isNew = !last || (piece.id && last.id && piece.id !== last.id);
    const call: Fields = isNew ? { function: {} } : last;
    if (isNew) calls.push(call);
    append(call, piece, new Set());
    const total = fieldsOf(call.function);
    append(total, fieldsOf(called), callTexts);
    call.function = total;
  }
  return calls;
}

function growDetails(details: Fields[], pieces: readonly Fields[]): Fields[] {
  for (const piece of pieces) {
    const last = details.at(-1);
    const isSame = last && last.index === piece.index && last.type === piece.type;
    if (isSame && piece.type !== 'reasoning.encrypted') append(last, piece, callTexts);
    else details.push({ ...piece });
  }
  return details;
}

function joinResponse(events: readonly Fields[]): object | null {
  const last = events.find(({ type }) =>
    /^(error|response\.(completed|incomplete|failed))$/.test(String(type)),
  );
  if (!last) return null;
  return last.type === 'error' ? { error: last.error ?? last } : fieldsOf(last.response);
}

function joinMessage(events: readonly Fields[]): object | null {
  const error = events.find(({ type }) => type === 'error');
  if (error) return error;
  const whole: Fields = {};
  const blocks: Fields[] = [];
  const inputs = new Map<Fields, string>();
  for (const { type, message, index, content_block: block, delta, usage } of events) {
    const open = blocks[Number(index)];
    if (type === 'message_start') Object.assign(whole, fieldsOf(message));
    if (type === 'content_block_start') blocks[Number(index)] = fieldsOf(block);
    if (type === 'content_block_delta' && open) growBlock(open, fieldsOf(delta), inputs);
    if (type === 'message_delta') {
      Object.assign(whole, fieldsOf(delta));
      whole.usage = { ...fieldsOf(whole.usage), ...fieldsOf(usage) };
    }
  }
  if (events.at(-1)?.type !== 'message_stop') return null;
  for (const [block, json] of inputs) block.input = JSON.parse(json || '{}');
  const content = [...listOf(whole.content), ...blocks.filter(Boolean)];
  return { ...whole, content };
}

function growBlock(
  block: Fields,
  { type: _, partial_json: json, ...delta }: Fields,
  inputs: Map<Fields, string>,
) {
  append(block, delta, new Set(['text', 'thinking', 'signature']));
  if (json !== undefined) inputs.set(block, (inputs.get(block) ?? '') + String(json));
}

function joinCandidates(chunks: readonly Fields[]): object | null {
  const whole: Fields = {};
  const candidates = new Map<unknown, Fields>();
  for (const { candidates: given, ...facts } of chunks) {
    append(whole, facts, new Set());
    for (const { content, index = 0, ...rest } of listOf(given)) {
      const known: Fields = candidates.get(index) ?? { index, content: { parts: [] } };
      candidates.set(index, known);
      append(known, rest, new Set());
      known.content = {
        parts: [...listOf(fieldsOf(known.content).parts), ...listOf(fieldsOf(content).parts)],
      };
    }
  }
  const list = [...candidates.values()];
  const isWhole = list.every((candidate) => candidate.finishReason);
  if (list.length === 0) return whole.error || whole.promptFeedback ? whole : null;
  return isWhole || whole.error ? { ...whole, candidates: list } : null;
}

function joinCohere(events: readonly Fields[]): object | null {
  const contents: Fields[] = [];
  const calls: Fields[] = [];
  const whole: Fields = {};
  let plan = '';
  for (const { type, id, index, delta, ...event } of events) {
    if (type === 'error' || (type === undefined && event.message)) return { ...event };
    const told = fieldsOf(fieldsOf(delta).message);
    if (id !== undefined) whole.id = id;
    if (type === 'content-start') contents[Number(index)] = fieldsOf(told.content);
    if (type === 'content-delta')
      append(contents[Number(index)] ?? {}, fieldsOf(told.content), new Set(['text', 'thinking']));
    if (type === 'tool-plan-delta') plan += String(told.tool_plan ?? '');
    if (type === 'tool-call-start') calls.push({ ...fieldsOf(told.tool_calls), index });
    if (type === 'tool-call-delta') growCalls(calls, [{ ...fieldsOf(told.tool_calls), index }]);
    if (type === 'message-end') Object.assign(whole, fieldsOf(delta));
  }
  const message = { content: contents.filter(Boolean), tool_plan: plan, tool_calls: calls };
  return whole.finish_reason ? { ...whole, message } : null;
}

function joinLines(lines: readonly Fields[]): object | null {
  const whole: Fields = {};
  const message: Fields = {};
  for (const { message: piece, ...facts } of lines) {
    append(whole, facts, new Set());
    append(message, fieldsOf(piece), messageTexts);
  }
  return whole.done || whole.error ? { ...whole, message } : null;
}
