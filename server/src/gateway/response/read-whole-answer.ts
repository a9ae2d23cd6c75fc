import { GatewayError } from '#errors/gateway-error.ts';
import type { CanonicalResponse } from '#protocols/canonical/response.ts';
import { type Answer, type AttemptedCompletion, failedInside, succeeded } from '../exchange.ts';
import { answerFailureError, upstreamCallError } from '../provider-call/provider-failure.ts';
import { truncateForLog } from '../request-log/truncate-for-log.ts';
import { readAnswerText } from './minimal-completion.ts';
import type { ResponseHold } from './response-hold.ts';

/** Largest whole response held in memory; longer ones are an upstream fault. */
const completionMaxBytes = 32 * 1024 * 1024;

export interface WholeAnswer {
  readonly body: Buffer;
  readonly decoded: CanonicalResponse;
  /** The provider's own failure, if the response also has output. */
  readonly failure: GatewayError | null;
  readonly answer: Answer & { readonly ending: NonNullable<Answer['ending']> };
}

/** Reads a response that its provider sent at once. @throws GatewayError if it is not a completion */
export async function readWholeAnswer(
  exchange: AttemptedCompletion,
  hold: ResponseHold,
): Promise<WholeAnswer> {
  const { attempt, likelyInputTokens, startedMs, upstream } = exchange;
  const { name } = attempt.instance;
  const body = await upstream.body
    .collect(completionMaxBytes, (bytes) => hold.resize(bytes))
    .catch((error) => {
      throw upstreamCallError(error, name);
    });
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
  const answer = {
    firstByteMs: performance.now() - startedMs,
    usage: decoded.usage,
    usageSource: decoded.usage ? ('provider' as const) : ('none' as const),
    text: text === null ? null : truncateForLog(text),
    written: null,
    imageCount: countImages(decoded),
    bytes: 0,
    ending: failure ? failedInside(failure.code, truncateForLog(failure.message)) : succeeded,
  };
  return { body, decoded, failure, answer };
}

const countImages = ({ choices }: CanonicalResponse) =>
  choices.flatMap(({ parts }) => parts).filter(({ type }) => type === 'image').length;
