import type { CanonicalResponse } from '../canonical/response.ts';
import { isObject } from '../json/json-value.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { createAnswerReader } from './answer-reader.ts';
import { parseAnswer } from './wire.ts';

/**
 * A whole answer, `null` for anything that is not one of Ollama's, or not all of one. It is read as a stream of one
 * line, so that both are understood alike.
 */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  const answer = parseAnswer(body.toString());
  if (!answer || !isObject(answer.message) || answer.done === false) return null;
  const events = createAnswerReader().read({ ...answer, done: true });
  const identity = events.find((event) => event.type === 'start');
  return {
    id: null,
    model: identity?.model ?? null,
    createdAtSeconds: identity?.createdAtSeconds ?? null,
    choices: collectChoices(events),
    usage: events.findLast((event) => event.type === 'usage')?.usage ?? null,
  };
}
