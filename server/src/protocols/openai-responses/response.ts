import { parseObject, readText } from '#json/json-value.ts';
import { type CanonicalResponse, type Choice, errorOnly } from '../canonical/response.ts';
import { readFailure } from '../openai-chat/errors.ts';
import type { AnswerContext } from '../protocol.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { findErrorWords } from '../translation/untranslatable.ts';
import { createAnswerDecoder, readAnswerStart, readOutput } from './answer-decoder.ts';
import { createOutput, writeWhole } from './output-writer.ts';
import {
  encodeHead,
  encodeResponseObject,
  readFailedResponse,
  readFinish,
  readUsage,
  writeEnding,
} from './response-object.ts';
import type { WireResponse } from './wire.ts';

/**
 * Decodes a complete response or an error; returns `null` for other bodies, such as a proxy's HTML page. Items are
 * read as if they had been streamed, so that both forms are interpreted alike.
 */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  const response: WireResponse | null = parseObject(body.toString());
  if (!response) return null;
  if (!Array.isArray(response.output)) {
    const failure = findErrorWords(response) === null ? null : readFailure(response);
    return failure && errorOnly(failure);
  }
  const answer = createAnswerDecoder(() => readText(response.id));
  const events = [...readOutput(response, answer), ...answer.close()];
  const [choice] = collectChoices(events);
  const { id, model, createdAtSeconds } = readAnswerStart(response);
  const finish = readFinish(response, answer.hasCalls());
  return {
    id,
    model,
    createdAtSeconds,
    choices: [{ parts: choice?.parts ?? [], finish }],
    usage: readUsage(response.usage),
    ...(finish.reason === 'error' && { failure: readFailedResponse(response) }),
  };
}

export function encodeResponse(response: CanonicalResponse, context: AnswerContext): object {
  const { parts, finish } = response.choices[0] ?? noChoice;
  const output = createOutput({ requestId: context.requestId, sendEvent: () => undefined });
  writeWhole(output, parts, finish);
  const head = encodeHead(response, context);
  return encodeResponseObject(head, writeEnding(finish), output.items, response.usage);
}

const noChoice: Choice = { parts: [], finish: { reason: 'stop', native: null } };
