import type { Steps } from '#platform/steps.ts';
import type {
  AssistantPart,
  ImagePart,
  Message,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../canonical/content.ts';
import type { Dialect, ReasoningField } from '../canonical/request.ts';
import type { RequestTarget } from '../protocol.ts';
import { moveAnswerImages } from '../translation/answer-images.ts';
import { mapMessages } from '../translation/encode-in-steps.ts';
import { dropSignedField, readSignedField } from '../translation/reasoning-field.ts';
import { hashToAlphanumerics, makeCallId } from '../translation/tool-names.ts';
import { markFailure, splitUserTurn } from '../translation/user-turn.ts';
import { writeCallSignature } from './call-signature.ts';
import { type ContentPart, encodeCacheMark, encodePart } from './content-parts.ts';
import { isNativeDetail, writeDetail } from './reasoning.ts';
import { encodeAnswerImage } from './response.ts';

/** `noteLeftOut` is called for each field that the provider does not accept. */
export function* encodeMessages(
  messages: readonly Message[],
  target: RequestTarget,
  noteLeftOut: (name: string) => void,
): Steps<object[]> {
  const placed = target.dialect?.takesImages
    ? messages
    : moveAnswerImages(messages, target.facts, noteLeftOut);
  const encoded = yield* mapMessages(placed, (message) => encodeMessage(message, target, noteLeftOut));
  return encoded.flat();
}

function encodeMessage(
  message: Message,
  target: RequestTarget,
  noteLeftOut: (name: string) => void,
): object[] {
  switch (message.role) {
    case 'system': {
      const role = target.isReasoningModel ? 'developer' : 'system';
      return [{ role, content: encodeContent(message.parts, target) }];
    }
    case 'user':
      return encodeUser(message, target);
    case 'assistant':
      return [encodeAssistant(message.parts, target, noteLeftOut)];
  }
}

/** Encodes a single text as a string, since not every vendor accepts a list with one part. */
function encodeContent(parts: readonly ContentPart[], { dialect }: RequestTarget): string | object[] {
  const [first] = parts;
  if (!first) return '';
  const marked = parts.map((part) => (dialect?.takesCacheMarks ? encodeCacheMark(part) : {}));
  const isPlain = parts.length === 1 && first.type === 'text' && !first.cacheMark;
  const isText = parts.length === 1 && first.type === 'text' && !dialect?.takesCacheMarks;
  if (isPlain || isText) return first.text;
  return parts.map((part, index) => ({ ...encodePart(part), ...marked[index] }));
}

function encodeUser(
  { parts, name }: { readonly parts: readonly UserPart[]; readonly name?: string },
  target: RequestTarget,
): object[] {
  const fitted = parts.map((part) =>
    part.type === 'tool-result' ? { ...part, callId: fitCallId(part.callId, target) } : part,
  );
  const { results, said } = splitUserTurn(fitted, ({ type }) => type === 'text');
  const tools = results.map((result) => encodeResult(markFailure(result), target));
  if (said.length === 0) return tools;
  return [
    ...tools,
    { role: 'user', content: encodeContent(said, target), ...(name !== undefined && { name }) },
  ];
}

function encodeResult({ callId, parts, cacheMark }: ToolResultPart, target: RequestTarget): object {
  const texts = parts.filter((part) => part.type === 'text');
  const isMarked =
    target.dialect?.takesCacheMarks && [{ cacheMark }, ...texts].some((part) => part.cacheMark);
  const last = texts.at(-1);
  const marked = last ? [...texts.slice(0, -1), { ...last, ...(cacheMark && { cacheMark }) }] : [];
  const content = isMarked ? encodeContent(marked, target) : texts.map(({ text }) => text).join('\n');
  return { role: 'tool', tool_call_id: callId, content };
}

function encodeAssistant(
  parts: readonly AssistantPart[],
  target: RequestTarget,
  noteLeftOut: (name: string) => void,
): object {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('');
  const calls = parts.filter((part) => part.type === 'tool-call');
  const images = parts.filter((part) => part.type === 'image');
  const reasoning = parts.filter((part) => part.type === 'reasoning');
  const { takesCacheMarks } = target.dialect ?? {};
  if (takesCacheMarks && calls.some(({ cacheMark }) => cacheMark)) noteLeftOut('cache_control');
  const said = parts.filter((part) => part.type === 'text');
  const marked =
    takesCacheMarks && said.some(({ cacheMark }) => cacheMark) ? encodeContent(said, target) : null;
  const isSilent = text === '' && (calls.length > 0 || refusal !== '');
  const message = {
    role: 'assistant',
    content: isSilent ? null : (marked ?? text),
    ...(refusal !== '' && { refusal }),
    ...(images.length > 0 && { images: images.map(encodeImage) }),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => encodeCall(call, target)) }),
  };
  return reasoning.length === 0 ? message : addReasoning(message, reasoning, target, noteLeftOut);
}

/** Omits signatures of other protocols, which the vendor cannot verify. */
function encodeImage({ signature, ...image }: ImagePart, index: number): object {
  const isOwn = signature?.protocol === 'openai-chat';
  return encodeAnswerImage({ ...image, ...(isOwn && { signature }) }, index);
}

function encodeCall({ id, name, arguments: json, signature }: ToolCallPart, target: RequestTarget): object {
  return {
    id: fitCallId(id, target),
    type: 'function',
    function: { name, arguments: json },
    ...(signature?.protocol === 'openai-chat' && { extra_content: writeCallSignature(signature) }),
  };
}

/**
 * Adds reasoning as details if the vendor accepts them or wrote them, otherwise as text if the vendor has a field for
 * reasoning.
 */
function addReasoning(
  message: { readonly content: string | object[] | null },
  reasoning: readonly ReasoningPart[],
  { dialect }: RequestTarget,
  noteLeftOut: (name: string) => void,
): object {
  const details = reasoning.map(dropSignedField).filter((part) => isTakenBack(part, dialect));
  if (details.some(({ signature }) => signature !== undefined))
    return { ...message, reasoning_details: details.map(writeDetail) };
  const text = reasoning.map((part) => part.text).join('');
  const field = findField(reasoning, dialect);
  if (text !== '' && field !== null) return putReasoning(message, field, text);
  noteLeftOut('reasoning of earlier turns');
  return message;
}

/** Returns the vendor's field for reasoning, or the field in which all of this reasoning was received. */
function findField(reasoning: readonly ReasoningPart[], dialect: Dialect | undefined): ReasoningField | null {
  if (dialect?.reasoningField === 'none') return null;
  if (dialect?.reasoningField) return dialect.reasoningField;
  const [field = null, ...others] = new Set(reasoning.map(({ signature }) => readSignedField(signature)));
  return others.length === 0 ? field : null;
}

/** For Mistral, reasoning is part of the content. */
export function putReasoning(
  message: { readonly content?: unknown },
  field: ReasoningField,
  text: string,
): object {
  if (field !== 'thinking') return { ...message, [field]: text };
  const { content } = message;
  const said = Array.isArray(content) ? content : content ? [{ type: 'text', text: content }] : [];
  return { ...message, content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }, ...said] };
}

function isTakenBack(part: ReasoningPart, dialect: Dialect | undefined): boolean {
  if (dialect?.takesReasoningDetails) return isNativeDetail(part);
  return dialect?.reasoningField === undefined && part.signature?.protocol === 'openai-chat';
}

const callIdLengthMax = 40;

/** Call and result get the same id in every turn. */
export function fitCallId(id: string, { dialect }: Pick<RequestTarget, 'dialect'>): string {
  if (dialect?.toolCallIds === 'nine-alphanumerics')
    return /^[a-zA-Z0-9]{9}$/.test(id) ? id : hashToAlphanumerics(id, 9);
  return id.length <= callIdLengthMax ? id : makeCallId(id);
}
