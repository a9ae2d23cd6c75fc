import { isObject, readText } from '#json/json-value.ts';
import type { Dialect, ReasoningField } from '../canonical/request.ts';
import { introduction } from '../translation/answer-images.ts';
import { readCallerCallSignature } from './call-signature.ts';
import { fitCallId, putReasoning } from './messages-encoder.ts';
import { isNativeDetail, readCallerDetail } from './reasoning.ts';
import { reasoningDetail } from './wire.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Adapts a history to a vendor that receives the caller's own messages. Moves reasoning to the vendor's field, maps
 * call ids to the vendor's format, removes data that other models added, and turns OpenAI's developer messages into
 * system messages. Returns the same list if nothing changes.
 */
export function fitHistory(messages: readonly unknown[], dialect: Dialect): readonly unknown[] {
  const placed =
    dialect.reasoningField === undefined || dialect.takesImages ? messages : moveImages(messages);
  const fitted = placed.map((message) => (isFields(message) ? fitMessage(message, dialect) : message));
  return fitted.length !== messages.length || fitted.some((message, index) => message !== messages[index])
    ? fitted
    : messages;
}

function isFields(value: unknown): value is Fields {
  return isObject(value);
}

/**
 * Moves the `images` of assistant messages to the next user message, or to a new one at the end. Used for vendors
 * whose own models return no images. A final assistant message keeps its images.
 */
function moveImages(messages: readonly unknown[]): readonly unknown[] {
  if (!messages.slice(0, -1).some((message) => isFields(message) && listImages(message).length > 0))
    return messages;
  const moved: unknown[] = [];
  let waiting: Fields[] = [];
  for (const message of messages) {
    const images = isFields(message) && message !== messages.at(-1) ? listImages(message) : [];
    if (isFields(message) && images.length > 0) {
      const { images: _, ...rest } = message;
      moved.push(rest);
      waiting.push(...images);
    } else if (isFields(message) && message.role === 'user' && waiting.length > 0) {
      moved.push({ ...message, content: [...introduce(waiting), ...listContent(message)] });
      waiting = [];
    } else moved.push(message);
  }
  return waiting.length === 0 ? moved : [...moved, { role: 'user', content: introduce(waiting) }];
}

function listImages({ role, images }: Fields): Fields[] {
  return role === 'assistant' && Array.isArray(images) ? images.filter(isFields) : [];
}

function introduce(images: readonly Fields[]): object[] {
  return [introduction, ...images.map(({ image_url }) => ({ type: 'image_url', image_url }))];
}

function listContent({ content }: Fields): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: readText(content) }];
}

function fitMessage(message: Fields, dialect: Dialect): Fields {
  if (message.role === 'tool') return fitId(message, 'tool_call_id', dialect);
  if (message.role === 'developer' && dialect.lacksDeveloperRole) return { ...message, role: 'system' };
  if (message.role !== 'assistant') return message;
  return dropUnknownFields(fitReasoning(fitCalls(message, dialect), dialect), dialect);
}

function fitId(fields: Fields, name: string, dialect: Dialect): Fields {
  const id = fields[name];
  if (typeof id !== 'string' || dialect.toolCallIds === undefined) return fields;
  const fitted = fitCallId(id, { dialect });
  return fitted === id ? fields : { ...fields, [name]: fitted };
}

function fitCalls(message: Fields, dialect: Dialect): Fields {
  const calls: unknown = message.tool_calls;
  if (!Array.isArray(calls)) return message;
  const fitted = calls.map((call: unknown) =>
    isFields(call) ? dropForeignExtra(fitId(call, 'id', dialect), dialect) : call,
  );
  return fitted.some((call, index) => call !== calls[index]) ? { ...message, tool_calls: fitted } : message;
}

/**
 * Removes extra content from a call, except for vendors whose reasoning field is unknown: they may have written it
 * themselves, in their own or Google's format.
 */
function dropForeignExtra(call: Fields, { reasoningField }: Dialect): Fields {
  const { extra_content: extra, ...rest } = call;
  if (!isFields(extra)) return call;
  const { protocol } = readCallerCallSignature(extra);
  const isForeign = protocol !== 'openai-chat' && protocol !== 'gemini';
  return reasoningField !== undefined || isForeign ? rest : call;
}

function fitReasoning(message: Fields, dialect: Dialect): Fields {
  const fitted = fitDetails(message, dialect);
  const { reasoningField } = dialect;
  if (reasoningField === undefined) return fitted;
  const found = listReasoning(message);
  if (found.length === 0 || (found.length === 1 && found[0]?.field === reasoningField)) return fitted;
  const { reasoning_content: _content, reasoning: _reasoning, ...rest } = fitted;
  const said = dropThoughts(rest);
  const text = (found.find(({ field }) => field === reasoningField) ?? found[0])?.text ?? '';
  return reasoningField === 'none' || text === '' ? said : { ...putReasoning(said, reasoningField, text) };
}

/**
 * Keeps details in OpenRouter's formats for OpenRouter itself, and for vendors whose reasoning field is unknown,
 * which may forward requests to OpenRouter.
 */
function fitDetails(message: Fields, { takesReasoningDetails, reasoningField }: Dialect): Fields {
  const { reasoning_details: details, ...rest } = message;
  if (details === undefined) return message;
  const entries: unknown[] = Array.isArray(details) ? details : [];
  const kept = entries.filter((entry) => {
    const { data } = reasoningDetail.safeParse(entry);
    if (!data) return false;
    const part = readCallerDetail(data);
    return (takesReasoningDetails || reasoningField === undefined) && isNativeDetail(part);
  });
  if (kept.length === entries.length && kept.length > 0) return message;
  return kept.length === 0 ? rest : { ...rest, reasoning_details: kept };
}

/** Lists the reasoning of each field, in the order of preference. */
function listReasoning(message: Fields): { readonly field: ReasoningField; readonly text: string }[] {
  const told = [
    { field: 'reasoning_content', text: readText(message.reasoning_content) },
    { field: 'reasoning', text: readText(message.reasoning) },
    { field: 'thinking', text: listThoughts(message.content).map(readThought).join('') },
  ] as const;
  const isPresent = ({ field, text }: (typeof told)[number]) =>
    text !== '' || (field !== 'thinking' && field in message);
  return told.filter(isPresent);
}

function listThoughts(content: unknown): Fields[] {
  return Array.isArray(content) ? content.filter(isFields).filter(isThought) : [];
}

const isThought = ({ type }: Fields): boolean => type === 'thinking';

function readThought({ thinking }: Fields): string {
  const pieces: unknown[] = Array.isArray(thinking) ? thinking : [];
  return pieces.map((piece) => (isFields(piece) ? readText(piece.text) : '')).join('');
}

/** A single remaining text becomes a string, as most vendors expect. */
function dropThoughts(message: Fields): Fields {
  const { content } = message;
  if (!Array.isArray(content) || listThoughts(content).length === 0) return message;
  const said: unknown[] = content.filter((part: unknown) => !isFields(part) || !isThought(part));
  const [first] = said;
  if (said.length === 0) return { ...message, content: message.tool_calls ? null : '' };
  const isText = said.length === 1 && isFields(first) && typeof first.text === 'string';
  return { ...message, content: isText ? first.text : said };
}

/** Removes fields that only occur in another vendor's responses, such as `annotations`. A refusal becomes text. */
function dropUnknownFields(message: Fields, { assistantFields }: Dialect): Fields {
  if (!assistantFields || Object.keys(message).every((name) => assistantFields.has(name))) return message;
  const known = Object.fromEntries(Object.entries(message).filter(([name]) => assistantFields.has(name)));
  const refusal = readText(message.refusal);
  return refusal !== '' && !message.content ? { ...known, content: refusal } : known;
}
