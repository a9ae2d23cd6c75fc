import type { CanonicalResponse, Choice, Finish } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { parseExactly } from '../json/exact-json.ts';
import { isObject } from '../json/json-value.ts';
import type { AnswerContext } from '../protocol.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { createAnswerDecoder } from './answer-decoder.ts';
import { writeFinishReason } from './finish-reason.ts';
import { encodeAnswerParts } from './model-parts.ts';
import { writeUsage } from './usage.ts';

/**
 * Decodes a complete response or a list of its pieces; `null` for anything else. It is read as a stream, so that both
 * forms are decoded alike.
 */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  try {
    return translate(body.toString());
  } catch {
    return null;
  }
}

function translate(text: string): CanonicalResponse | null {
  const decoder = createAnswerDecoder();
  const answers = [parseExactly(text)].flat().filter(isObject);
  const events: StreamEvent[] = answers.flatMap((answer) => decoder.read(answer, text));
  events.push(...decoder.finish(), ...decoder.close());
  const choices = collectChoices(events);
  const identity = events.find((event) => event.type === 'start');
  if (!identity || choices.length === 0) return null;
  const { id, model, createdAtSeconds } = identity;
  const usage = events.findLast((event) => event.type === 'usage')?.usage ?? null;
  return { id, model, createdAtSeconds, choices, usage };
}

export function encodeResponse(response: CanonicalResponse, context: AnswerContext): object {
  return {
    candidates: response.choices.map(encodeChoice),
    ...(response.usage && { usageMetadata: writeUsage(response.usage) }),
    ...encodeIdentity(response, context),
  };
}

type Identity = Pick<CanonicalResponse, 'id' | 'model' | 'createdAtSeconds'>;

/** Returns the fields that identify a response. Values that the provider omits come from the request. */
export function encodeIdentity({ id, model, createdAtSeconds }: Identity, context: AnswerContext): object {
  return {
    modelVersion: model ?? context.model,
    responseId: id ?? context.requestId,
    ...(createdAtSeconds !== null && { createTime: new Date(createdAtSeconds * 1000).toISOString() }),
  };
}

function encodeChoice({ parts, finish }: Choice, index: number): object {
  const encoded = encodeAnswerParts(parts);
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('');
  return {
    content: { role: 'model', ...(encoded.length > 0 && { parts: encoded }) },
    ...encodeFinish(finish, refusal),
    index,
  };
}

/** Returns the finish fields of a candidate. The text of a refusal becomes `finishMessage`. */
export function encodeFinish(finish: Finish, refusal: string): object {
  const told: Finish = refusal === '' ? finish : { ...finish, reason: 'content-filter' };
  return { finishReason: writeFinishReason(told), ...(refusal !== '' && { finishMessage: refusal }) };
}
