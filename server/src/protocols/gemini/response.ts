import { parseExactly } from '#json/exact-json.ts';
import { isObject } from '#json/json-value.ts';
import type { CanonicalResponse, Choice, Finish } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import type { AnswerContext } from '../protocol.ts';
import { collectChoices, findFailure } from '../translation/collect-choices.ts';
import { createAnswerDecoder } from './answer-decoder.ts';
import { writeFinishReason } from './candidate-decoder.ts';
import { readFailure } from './errors.ts';
import { encodeAnswerParts } from './model-parts.ts';
import { writeUsage } from './usage.ts';
import type { Answer } from './wire.ts';

/**
 * Decodes a complete response, an error, or a list of their pieces; returns `null` for other bodies. Complete
 * responses are read as streams, so that both forms are decoded alike.
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
  const answers: Answer[] = [parseExactly(text)].flat().filter(isObject);
  const events: StreamEvent[] = [];
  for (const answer of answers) {
    if (answer.error) {
      events.push(...decoder.close(), { type: 'error', ...readFailure(answer.error) });
      break;
    }
    events.push(...decoder.read(answer, text));
  }
  if (events.at(-1)?.type !== 'error') events.push(...decoder.finish(), ...decoder.close());
  const choices = collectChoices(events);
  const identity = events.find((event) => event.type === 'start');
  const failure = findFailure(events);
  if (!failure && (!identity || choices.length === 0)) return null;
  const { id, model, createdAtSeconds } = identity ?? nobody;
  const usage = events.findLast((event) => event.type === 'usage')?.usage ?? null;
  return { id, model, createdAtSeconds, choices, usage, ...(failure && { failure }) };
}

const nobody = { id: null, model: null, createdAtSeconds: null };

export function encodeResponse(response: CanonicalResponse, context: AnswerContext): object {
  return {
    candidates: response.choices.map(encodeChoice),
    ...(response.usage && { usageMetadata: writeUsage(response.usage) }),
    ...encodeIdentity(response, context),
  };
}

type Identity = Pick<CanonicalResponse, 'id' | 'model' | 'createdAtSeconds'>;

/** Values that the provider omits are taken from the request. */
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

/** The text of a refusal or a failure becomes `finishMessage`. */
export function encodeFinish(finish: Finish, refusal: string): object {
  const told: Finish = refusal === '' ? finish : { ...finish, reason: 'content-filter' };
  const message = refusal || finish.message;
  return { finishReason: writeFinishReason(told), ...(message && { finishMessage: message }) };
}
