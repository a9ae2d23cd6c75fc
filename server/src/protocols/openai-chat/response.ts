import { readText } from '#json/json-value.ts';
import type { AssistantPart, ImagePart, ToolCallPart } from '../canonical/content.ts';
import { type CanonicalResponse, type Choice, errorOnly } from '../canonical/response.ts';
import type { AnswerContext } from '../protocol.ts';
import { collectChoices, findFailure } from '../translation/collect-choices.ts';
import { unwrapInput } from '../translation/freeform-tool.ts';
import { encodeImageUrl } from '../translation/media-source.ts';
import { dropSignedField } from '../translation/reasoning-field.ts';
import { readUnixSeconds } from '../translation/unix-seconds.ts';
import { createAnswerDecoder } from './answer-decoder.ts';
import { writeCallSignature } from './call-signature.ts';
import { readFinish, writeFinishReason } from './choice-decoder.ts';
import { readFailure } from './errors.ts';
import { writeDetail } from './reasoning.ts';
import { readUsage, writeUsage } from './usage.ts';
import { isCompletion, isError, parseAnswer, type WireAnswer, type WireMessage } from './wire.ts';

/**
 * Decodes a complete response or an error; returns `null` for other bodies, such as a proxy's HTML page. A response
 * is decoded as a stream of one chunk, so that both are interpreted alike.
 */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  const answer = parseAnswer(body.toString());
  if (!answer) return null;
  if (isError(answer)) {
    const failure = readFailure(answer);
    return isCompletion(answer) ? { ...decodeAnswer(answer), failure } : errorOnly(failure);
  }
  if (!isCompletion(answer)) return null;
  return decodePlainAnswer(answer) ?? decodeAnswer(answer);
}

/** Fast path for responses with a single choice that contains only text, which are the majority. */
export function decodePlainAnswer(answer: WireAnswer): CanonicalResponse | null {
  const { choices, id, model, created, usage } = answer;
  const choice = choices?.length === 1 ? choices[0] : null;
  if (!choice?.message || !usage || !hasOnlyText(choice.message)) return null;
  const text = readText(choice.message.content);
  if (text === '') return null;
  const finish = readFinish(choice.finish_reason || null, false);
  if (finish.reason === 'error') return null;
  return {
    id: readText(id) || null,
    model: readText(model) || null,
    createdAtSeconds: readUnixSeconds(created),
    choices: [{ parts: [{ type: 'text', text }], finish }],
    usage: readUsage(usage),
  };
}

function hasOnlyText(message: WireMessage): boolean {
  for (const name in message) {
    if (name === 'role' || name === 'content') continue;
    const value: unknown = message[name as keyof WireMessage];
    const isEmpty = value == null || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) return false;
  }
  return true;
}

export function decodeAnswer(answer: WireAnswer): CanonicalResponse {
  const decoder = createAnswerDecoder('message');
  const events = [...decoder.read(answer), ...decoder.close()];
  const identity = events.find((event) => event.type === 'start');
  const failure = findFailure(events);
  return {
    id: identity?.id ?? null,
    model: identity?.model ?? null,
    createdAtSeconds: identity?.createdAtSeconds ?? null,
    choices: collectChoices(events),
    usage: events.findLast((event) => event.type === 'usage')?.usage ?? null,
    ...(failure && { failure }),
  };
}

export function encodeResponse(response: CanonicalResponse, context: AnswerContext): object {
  return {
    id: response.id ?? makeAnswerId(context),
    object: 'chat.completion',
    created: response.createdAtSeconds ?? context.nowSeconds,
    model: response.model ?? context.model,
    choices: response.choices.map(encodeChoice),
    ...(response.usage && { usage: writeUsage(response.usage) }),
  };
}

export function makeAnswerId({ requestId }: AnswerContext): string {
  return `chatcmpl-${requestId}`;
}

function encodeChoice({ parts, finish }: Choice, index: number): object {
  return { index, message: encodeMessage(parts), logprobs: null, finish_reason: writeFinishReason(finish) };
}

function encodeMessage(parts: readonly AssistantPart[]): object {
  const joinTexts = (type: 'text' | 'refusal' | 'reasoning') =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('') || null;
  const thought = joinTexts('reasoning');
  const reasoning = parts.filter((part) => part.type === 'reasoning').map(dropSignedField);
  const isSigned = reasoning.some(({ signature }) => signature !== undefined);
  const calls = parts.filter((part) => part.type === 'tool-call');
  const refusal = joinTexts('refusal');
  const content = joinTexts('text');
  const images = parts.filter((part) => part.type === 'image');
  return {
    role: 'assistant',
    content: content === null && refusal === null && calls.length === 0 ? '' : content,
    refusal,
    ...(thought !== null && { reasoning_content: thought }),
    ...(isSigned && { reasoning_details: reasoning.map(writeDetail) }),
    ...(images.length > 0 && { images: images.map(encodeAnswerImage) }),
    ...(calls.length > 0 && { tool_calls: calls.map(encodeCall) }),
  };
}

/** Encodes a generated image in OpenRouter's format. `index` is the image's position in the choice. */
export function encodeAnswerImage({ signature, ...image }: ImagePart, index: number): object {
  const extra = signature && { extra_content: writeCallSignature(signature) };
  return { ...encodeImageUrl(image), index, ...extra };
}

function encodeCall({ id, name, arguments: json, isFreeform, signature }: ToolCallPart): object {
  return {
    id,
    ...(isFreeform
      ? { type: 'custom', custom: { name, input: unwrapInput(json) } }
      : { type: 'function', function: { name, arguments: json } }),
    ...(signature && { extra_content: writeCallSignature(signature) }),
  };
}
