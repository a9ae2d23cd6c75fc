import type { AssistantPart } from '../canonical/content.ts';
import { type CanonicalResponse, errorOnly, type Finish } from '../canonical/response.ts';
import { parseExactly } from '../json/exact-json.ts';
import { isObject } from '../json/json-value.ts';
import type { AnswerContext } from '../protocol.ts';
import { answerToolName } from './answer-format.ts';
import { decodeAssistantBlocks, encodeAnswerParts } from './assistant-blocks.ts';
import { readFailure } from './errors.ts';
import { readFinish, writeStopReason } from './finish-reason.ts';
import { readUsage, writeUsage } from './usage.ts';
import * as wire from './wire.ts';

/** Decodes a complete response or an error; `null` if the body is neither, such as a proxy's HTML page. */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  try {
    const value = parseExactly(body.toString());
    return isObject(value) && 'error' in value && value.error
      ? errorOnly(readFailure(value.error))
      : translate(wire.answer.parse(value));
  } catch {
    return null;
  }
}

function translate(answer: wire.Answer): CanonicalResponse {
  const { parts } = decodeAssistantBlocks(answer.content, ['content']);
  const hasCalls = parts.some((part) => part.type === 'tool-call' && part.name !== answerToolName);
  const explanation = answer.stop_details?.explanation;
  return {
    id: answer.id || null,
    model: answer.model || null,
    createdAtSeconds: null,
    choices: [
      {
        parts: [
          ...parts.map(openAnswer),
          ...(explanation ? [{ type: 'refusal', text: explanation } as const] : []),
        ],
        finish: readFinish(answer.stop_reason, answer.stop_sequence, hasCalls),
      },
    ],
    usage: readUsage(answer.usage),
  };
}

function openAnswer(part: AssistantPart): AssistantPart {
  return part.type === 'tool-call' && part.name === answerToolName
    ? { type: 'text', text: part.arguments }
    : part;
}

export function encodeResponse(response: CanonicalResponse, context: AnswerContext): object {
  const [choice] = response.choices;
  const parts = choice?.parts ?? [];
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('');
  return {
    ...encodeIdentity(response.id, response.model, context),
    content: encodeAnswerParts(parts),
    ...encodeStop(choice?.finish ?? { reason: 'stop', native: null }, refusal),
    usage: writeUsage(response.usage),
  };
}

/**
 * Returns the first fields of a complete or streamed response. Values that the provider omits come from the request.
 */
export function encodeIdentity(id: string | null, model: string | null, context: AnswerContext): object {
  return {
    id: id ?? `msg_${context.requestId}`,
    type: 'message',
    role: 'assistant',
    model: model ?? context.model,
  };
}

/** Returns the stop fields of a response. The text of a refusal becomes Anthropic's `stop_details`. */
export function encodeStop(finish: Finish, refusal: string): object {
  return {
    stop_reason: refusal === '' ? writeStopReason(finish) : 'refusal',
    stop_sequence: finish.stopSequence ?? null,
    ...(refusal !== '' && { stop_details: { type: 'refusal', category: null, explanation: refusal } }),
  };
}
