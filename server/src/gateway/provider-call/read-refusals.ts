import type { CompletionRequest } from '#protocols/canonical/request.ts';
import { findRejectedField } from '#protocols/optional-fields.ts';
import type { Attempt, Rejection, SentLimits } from '../exchange.ts';
import { hasImages, imagesField, listCallerTexts, refusesImages } from './image-refusal.ts';
import { readOutputRoom } from './read-output-room.ts';
import type { Refusal, ResponsesRule } from './refusals.ts';

interface Sent extends SentLimits {
  /** Whether the provider also offers a Responses API for this instance. */
  readonly hasResponses: boolean;
}

/** Returns an empty list if the provider rejected the caller's part of the request. */
export function readRefusals(
  attempt: Attempt,
  completion: CompletionRequest,
  rejection: Rejection,
  { hasResponses, inputTokens, limitCap }: Sent,
): readonly Refusal[] {
  const { httpStatus, message } = rejection;
  if (httpStatus !== 400 && httpStatus !== 404 && httpStatus !== 422) return [];
  if (hasResponses && /v1\/responses|\/responses\b|responses api/i.test(message))
    return [{ kind: 'responses', value: findResponsesRule(completion, message) }];
  if (isOfImages(attempt, completion, message)) return [{ kind: 'field', value: imagesField }];
  if (httpStatus === 404) return [];
  const usage = findUsageRefusal(attempt, completion, rejection);
  if (usage) return [usage];
  const cap = attempt.fitCap(limitCap, inputTokens);
  const capField = findCapRefusal(attempt, rejection, cap !== null || completion.output.tokensMax !== null);
  if (capField) return [capField];
  const room = cap !== null && completion.output.tokensMax === null ? readOutputRoom(message, cap) : [];
  if (room.length > 0) return room;
  return attempt.optionalBody === null ? [] : findFieldRefusal(attempt, attempt.optionalBody, rejection);
}

/** Always false for callers that use the provider's protocol, who get the provider's error. */
function isOfImages(
  { isPassThrough, optionalBody }: Attempt,
  completion: CompletionRequest,
  message: string,
): boolean {
  if (isPassThrough || optionalBody === null) return false;
  if (!refusesImages(message, listCallerTexts(optionalBody))) return false;
  const decoded = completion.toCanonical();
  return decoded.ok && hasImages(decoded.request);
}

function findResponsesRule(completion: CompletionRequest, message: string): ResponsesRule {
  const decoded = completion.toCanonical();
  if (!decoded.ok || decoded.request.tools.length === 0 || !/tool|function/i.test(message)) return 'all';
  return decoded.request.reasoning === undefined ? 'tools' : 'tools-with-effort';
}

/** Returns a rejection of the usage option, which the gateway adds to streams unless the caller has set it. */
function findUsageRefusal(
  { isPassThrough, protocol }: Attempt,
  { isStream, wantsUsage }: CompletionRequest,
  { message, param }: Rejection,
): Refusal | null {
  if (protocol.id !== 'openai-chat' || !isStream || (isPassThrough && wantsUsage)) return null;
  const isNamed = /stream_options|include_usage/.test(`${param ?? ''} ${message}`);
  return isNamed ? { kind: 'field', value: 'stream_options' } : null;
}

function findCapRefusal({ protocol }: Attempt, rejection: Rejection, hasCap: boolean): Refusal | null {
  if (protocol.id !== 'openai-chat' || !hasCap) return null;
  const { code, message, param } = rejection;
  const isRejection =
    /unsupported_parameter|unknown_parameter/.test(code ?? '') ||
    /not (supported|permitted|allowed)|unsupported|unrecogni[sz]ed|unknown|extra (input|field)|unexpected/i.test(
      message,
    );
  const [named] = /max_completion_tokens|max_tokens/.exec(param ?? message) ?? [];
  return isRejection && named ? { kind: 'field', value: named } : null;
}

const effortFields: ReadonlySet<string> = new Set(['reasoning_effort', 'reasoning']);

function findFieldRefusal({ model, protocol }: Attempt, body: object, rejection: Rejection): Refusal[] {
  const name = findRejectedField(protocol.id, body, rejection, model);
  if (name === null) return [];
  const sent: unknown = Reflect.get(body, name);
  const efforts = effortFields.has(name) ? readEfforts(rejection.message, JSON.stringify(sent)) : [];
  return [
    efforts.length > 0 ? { kind: 'efforts', value: efforts.join(',') } : { kind: 'field', value: name },
  ];
}

function readEfforts(message: string, sent: string): string[] {
  const named = message.match(/(?<=["'`])(none|minimal|low|medium|high|xhigh)(?=["'`])/g) ?? [];
  const offered = [...new Set(named)].filter((effort) => !sent.includes(`"${effort}"`));
  return offered.some((effort) => effort !== 'none') ? offered : [];
}
