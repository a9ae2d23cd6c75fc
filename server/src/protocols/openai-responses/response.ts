import type { CanonicalResponse, Choice } from '../canonical/response.ts';
import { parseObject, readText } from '../json/json-value.ts';
import type { AnswerContext } from '../protocol.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { createAnswerDecoder, readAnswerStart, readOutput } from './answer-decoder.ts';
import { readFinish, writeEnding } from './finish-reason.ts';
import { createOutput, writeWhole } from './output-writer.ts';
import { encodeHead, encodeResponseObject } from './response-object.ts';
import { readUsage } from './usage.ts';
import type { WireResponse } from './wire.ts';

/**
 * Decodes a complete response; `null` for anything else, such as a proxy's HTML page. Its items are read as if they had
 * been streamed, so that both are interpreted alike.
 */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  const response: WireResponse | null = parseObject(body.toString());
  if (!response || !Array.isArray(response.output)) return null;
  const answer = createAnswerDecoder(() => readText(response.id));
  const events = [...readOutput(response, answer), ...answer.close()];
  const [choice] = collectChoices(events);
  const { id, model, createdAtSeconds } = readAnswerStart(response);
  return {
    id,
    model,
    createdAtSeconds,
    choices: [{ parts: choice?.parts ?? [], finish: readFinish(response, answer.hasCalls()) }],
    usage: readUsage(response.usage),
  };
}

export function encodeResponse(response: CanonicalResponse, context: AnswerContext): object {
  const { parts, finish } = response.choices[0] ?? noChoice;
  const output = createOutput({ requestId: context.requestId, tell: () => undefined });
  writeWhole(output, parts, finish);
  const head = encodeHead(response, context);
  return encodeResponseObject(head, writeEnding(finish), output.items, response.usage);
}

const noChoice: Choice = { parts: [], finish: { reason: 'stop', native: null } };
