import type { ChatCompletionRequest } from '@sluice/contract';
import type {
  AssistantPart,
  Message,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../canonical/content.ts';
import { fillArguments } from '../translation/call-arguments.ts';
import { wrapInput } from '../translation/freeform-tool.ts';
import { readMediaSource } from '../translation/media-source.ts';
import { readFields } from '../translation/read-fields.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { readCallerCallSignature } from './call-signature.ts';
import { type ContentPart, decodePart, decodeText, readCacheMark } from './content-parts.ts';
import { readCallerReasoning } from './reasoning.ts';
import * as wire from './wire.ts';

type ContractMessage = ChatCompletionRequest['messages'][number];
type Content = ContractMessage['content'];

/** Consecutive tool results and the user message after them form one user turn. */
export function decodeMessages(messages: readonly ContractMessage[]): Message[] {
  const turns: Message[] = [];
  const calls = createCallBook();
  let results: UserPart[] | null = null;
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    const fields = readFields(wire.inputMessage, message, path);
    if (message.role === 'tool' || message.role === 'function') {
      if (results === null) {
        results = [];
        turns.push({ role: 'user', parts: results });
      }
      results.push(decodeResult(message, fields, path, calls));
      continue;
    }
    const turn = decodeTurn(message, fields, path, calls);
    if (turn?.role === 'user' && turn.name === undefined && results !== null)
      for (const part of turn.parts) results.push(part);
    else if (turn) turns.push(turn);
    results = null;
  }
  return turns;
}

/** Finds calls by id and by function name, since a result contains only one of them. */
function createCallBook() {
  const names = new Map<string, string>();
  const latestIds = new Map<string, string>();
  return {
    note(id: string, name: string) {
      names.set(id, name);
      latestIds.set(name, id);
    },
    nameOf: (id: string) => names.get(id),
    latestIdOf: (name: string) => latestIds.get(name),
  };
}

type CallBook = ReturnType<typeof createCallBook>;

function decodeTurn(
  { role, content }: ContractMessage,
  fields: wire.InputMessage,
  path: string,
  calls: CallBook,
): Message | null {
  if (role === 'user') {
    const parts = markLast(decodeContent(content, path), fields);
    return parts.length === 0 ? null : { role, parts, ...(fields.name != null && { name: fields.name }) };
  }
  if (role === 'assistant') {
    const parts = markLast(decodeAssistant(content, fields, path, calls), fields);
    return parts.length === 0 ? null : { role, parts };
  }
  const parts = markLast(decodeContent(content, path), fields).map((part) => asText(part, path));
  return parts.every(({ text }) => text === '') ? null : { role: 'system', parts };
}

/** A cache mark on a message applies to all parts, so it is placed on the last part. */
function markLast<Part extends ContentPart | AssistantPart>(
  parts: readonly Part[],
  fields: wire.InputMessage,
): Part[] {
  const mark = readCacheMark(fields);
  const last = parts.findLastIndex(({ type }) => type !== 'reasoning' && type !== 'refusal');
  return parts.map((part, index) => (index === last ? { ...part, ...mark } : part));
}

function decodeContent(content: Content, path: string): ContentPart[] {
  if (content == null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part, index) => {
    const place = `${path}.content[${index}]`;
    return decodePart(readFields(wire.inputPart, part, place), place);
  });
}

function asText(part: ContentPart, path: string): TextPart {
  if (part.type === 'text') return part;
  throw new UntranslatableError('A system message can only contain text.', `${path}.content`);
}

function decodeAssistant(
  content: Content,
  fields: wire.InputMessage,
  path: string,
  calls: CallBook,
): AssistantPart[] {
  const parts: AssistantPart[] = readCallerReasoning(fields);
  if (typeof content === 'string') parts.push({ type: 'text', text: content });
  else
    for (const [index, part] of (content ?? []).entries())
      parts.push(decodeSaid(part, `${path}.content[${index}]`));
  for (const [index, image] of (fields.images ?? []).entries())
    parts.push(decodeImage(image, `${path}.images[${index}]`));
  if (fields.refusal) parts.push({ type: 'refusal', text: fields.refusal });
  for (const call of fields.tool_calls ?? []) {
    const part = decodeCall(call);
    calls.note(part.id, part.name);
    parts.push(part);
  }
  if (fields.function_call) {
    const { name } = fields.function_call;
    const id = makeCallId(`${path}/${name}`);
    calls.note(id, name);
    parts.push({ type: 'tool-call', id, name, arguments: fillArguments(fields.function_call.arguments) });
  }
  return parts.filter((part) => part.type !== 'text' || part.text !== '');
}

function decodeCall(call: NonNullable<wire.InputMessage['tool_calls']>[number]): ToolCallPart {
  const called =
    call.type === 'custom'
      ? { name: call.custom.name, isFreeform: true, arguments: wrapInput(call.custom.input ?? '') }
      : { name: call.function.name, arguments: fillArguments(call.function.arguments) };
  const { id, extra_content: extra } = call;
  return {
    type: 'tool-call',
    id,
    ...called,
    ...(extra && { signature: readCallerCallSignature(extra) }),
  };
}

function decodeImage(
  { image_url, extra_content: extra }: NonNullable<wire.InputMessage['images']>[number],
  path: string,
): AssistantPart {
  const source = readMediaSource(image_url.url, `${path}.image_url.url`);
  return { type: 'image', source, ...(extra && { signature: readCallerCallSignature(extra) }) };
}

function decodeSaid(value: unknown, path: string): AssistantPart {
  const part = readFields(wire.inputPart, value, path);
  if (part.type === 'text') return decodeText(part);
  if (part.type === 'image_url') return decodeImage(part, path);
  if (part.type === 'refusal') return { type: 'refusal', text: part.refusal };
  if (part.type !== 'thinking')
    throw new UntranslatableError(
      `An assistant message cannot contain a part of type '${part.type}'.`,
      `${path}.type`,
    );
  const text = part.thinking.map((piece) => piece.text ?? '').join('');
  return { type: 'reasoning', text, isRedacted: false };
}

function decodeResult(
  { role, content }: ContractMessage,
  fields: wire.InputMessage,
  path: string,
  calls: CallBook,
): ToolResultPart {
  const legacyName = role === 'function' ? (fields.name ?? '') : null;
  const callId = legacyName === null ? fields.tool_call_id : calls.latestIdOf(legacyName);
  if (callId == null)
    throw new UntranslatableError(
      'A tool result must contain the id of its tool call.',
      `${path}.${legacyName === null ? 'tool_call_id' : 'name'}`,
    );
  const name = calls.nameOf(callId) ?? fields.name ?? undefined;
  const parts = decodeContent(content, path).map((part) => {
    if (part.type !== 'audio') return part;
    throw new UntranslatableError('A tool result cannot contain audio.', `${path}.content`);
  });
  return {
    type: 'tool-result',
    callId,
    ...(name !== undefined && { name }),
    parts,
    isError: false,
    ...readCacheMark(fields),
  };
}
