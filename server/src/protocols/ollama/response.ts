import type { CanonicalResponse } from '../canonical/response.ts';
import { isObject } from '../json/json-value.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { createAnswerReader } from './answer-reader.ts';
import { parseAnswer } from './wire.ts';

/**
 * Decodes a complete response; `null` if the body is not one of Ollama's or is incomplete. It is read as a stream of
 * one line, so that both forms are decoded alike.
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
