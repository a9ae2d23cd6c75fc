import { GatewayError } from '#errors/gateway-error.ts';
import type { CanonicalResponse } from '#protocols/canonical/response.ts';
import { type Answer, type AttemptedCompletion, type Ending, failedInside, succeeded } from '../exchange.ts';
import { answerFailureError, upstreamCallError } from '../provider-call/provider-failure.ts';
import { truncateForLog } from '../request-log/truncate-for-log.ts';
import { readAnswerText } from './minimal-completion.ts';
import type { ResponseHold } from './response-hold.ts';

/** Maximum size of a whole response in memory. A longer response is an upstream error. */
const completionMaxBytes = 32 * 1024 * 1024;

export interface WholeAnswer {
  readonly decoded: CanonicalResponse;
  readonly failure: GatewayError | null;
  /** `answer.ending` is `null` if the caller has disconnected, unlike `ending`. */
  readonly answer: Answer;
  readonly ending: Ending;
}

/**
 * Collects a non-streamed response in memory.
 * @throws GatewayError if the response is incomplete or too long
 */
export function collectAnswer(
  { attempt, upstream }: AttemptedCompletion,
  hold: ResponseHold,
): Buffer | Promise<Buffer> {
  const arrived = upstream.body.takeArrived();
  if (arrived) return arrived;
  return upstream.body
    .collect(completionMaxBytes, (bytes) => hold.resize(bytes))
    .catch((error) => {
      throw upstreamCallError(error, attempt.instance.name);
    });
}

/**
 * Reads a non-streamed response.
 * @throws GatewayError if the response is not a completion
 */
export function readWholeAnswer(exchange: AttemptedCompletion, body: Buffer): WholeAnswer {
  const { abort, attempt, likelyInputTokens, startedMs } = exchange;
  const { name } = attempt.instance;
  const decoded = attempt.protocol.provider.decodeResponse(body);
  if (!decoded) {
    throw new GatewayError(
      'upstream_invalid_response',
      `The provider "${name}" returned a response that is not a completion. Retry; if the error persists, ask your administrator to check the endpoint of the provider.`,
    );
  }
  const failure = decoded.failure ? answerFailureError(decoded.failure, attempt, likelyInputTokens) : null;
  // Nothing was generated, so nothing is charged.
  if (failure && decoded.choices.length === 0) throw failure;
  const text = readAnswerText(decoded);
  const ending = failure ? failedInside(failure.code, truncateForLog(failure.message)) : succeeded;
  const answer: Answer = {
    firstByteMs: performance.now() - startedMs,
    usage: decoded.usage,
    usageSource: decoded.usage ? 'provider' : 'none',
    text: text === null ? null : truncateForLog(text),
    written: null,
    imageCount: countImages(decoded),
    bytes: 0,
    ending: abort.hasLeft ? null : ending,
  };
  return { decoded, failure, answer, ending };
}

const countImages = ({ choices }: CanonicalResponse) =>
  choices.reduce((sum, { parts }) => sum + parts.filter(({ type }) => type === 'image').length, 0);
