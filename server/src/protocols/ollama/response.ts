import { type CanonicalResponse, errorOnly } from '../canonical/response.ts';
import { isObject } from '../json/json-value.ts';
import { collectChoices, findFailure } from '../translation/collect-choices.ts';
import { createAnswerReader } from './answer-reader.ts';
import { readFailure } from './errors.ts';
import { parseAnswer } from './wire.ts';

/**
 * Decodes a complete response or an error; `null` if the body is neither or is incomplete. It is read as a stream of
 * one line, so that both forms are decoded alike.
 */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  const answer = parseAnswer(body.toString());
  if (!answer) return null;
  if (answer.error != null) return errorOnly(readFailure(answer));
  if (!isObject(answer.message) || answer.done === false) return null;
  const events = createAnswerReader().read({ ...answer, done: true });
  const failure = findFailure(events);
  const identity = events.find((event) => event.type === 'start');
  return {
    id: null,
    model: identity?.model ?? null,
    createdAtSeconds: identity?.createdAtSeconds ?? null,
    choices: collectChoices(events),
    usage: events.findLast((event) => event.type === 'usage')?.usage ?? null,
    ...(failure && { failure }),
  };
}
