import { GatewayError } from '#errors/gateway-error.ts';
import type { EmbeddingsCall, EmbeddingsRequest } from '#protocols/canonical/embeddings.ts';
import type { ProviderSide } from '#protocols/protocol.ts';
import { type Answer, type Attempt, type Attempted, addResult, succeeded } from '../exchange.ts';
import { chargeUsage, countInput } from '../metering/charge-usage.ts';
import { upstreamCallError } from '../provider-call/provider-failure.ts';
import { sendJson } from './answer-error.ts';
import { setCostHeader } from './headers.ts';
import type { ResponseHold } from './response-hold.ts';

/** Maximum size of a response in memory. One request may contain many texts. */
const embeddingsMaxBytes = 64 * 1024 * 1024;

/** Sends a provider's vectors in the format requested by the caller. */
export async function relayEmbeddings(
  exchange: Attempted,
  call: EmbeddingsCall,
  hold: ResponseHold,
): Promise<void> {
  const { abort, attempt, startedMs, upstream } = exchange;
  const { name } = attempt.instance;
  const body = await upstream.body
    .collect(embeddingsMaxBytes, (bytes) => hold.resize(bytes))
    .catch((error) => {
      throw upstreamCallError(error, name);
    });
  const answer = readAnswer(attempt, call, body);
  if (!answer) {
    throw new GatewayError(
      'upstream_invalid_response',
      `The provider "${name}" returned a response that is not an embedding. Retry; if the error persists, ask your administrator to check the endpoint of the provider.`,
    );
  }
  const sent: Answer = {
    firstByteMs: performance.now() - startedMs,
    usage: countInput(answer.inputTokens ?? countWritten(call.toCanonical())),
    usageSource: answer.inputTokens === null ? 'estimated' : 'provider',
    text: null,
    written: null,
    imageCount: 0,
    bytes: abort.hasLeft ? 0 : answer.bytes.length,
    ending: abort.hasLeft ? null : succeeded,
  };
  const answered = addResult(exchange, 'relay', { answer: sent });
  const charge = chargeUsage(answered, succeeded);
  addResult(answered, 'relay', { charge });
  if (abort.hasLeft) return;
  hold.requireToSend(answer.bytes.length);
  setCostHeader(charge, exchange);
  sendJson(exchange, 200, answer.bytes);
}

function readAnswer(
  attempt: Attempt,
  call: EmbeddingsCall,
  body: Buffer,
): ReturnType<EmbeddingsCall['readAnswer']> {
  if (attempt.isPassThrough) return call.readAnswer(body);
  const { embeddings }: ProviderSide = attempt.protocol.provider;
  const decoded = embeddings?.decodeResponse(body);
  if (!decoded) return null;
  const inputTokens = decoded.inputTokens ?? countWritten(call.toCanonical());
  const bytes = Buffer.from(JSON.stringify(call.encodeResponse({ ...decoded, inputTokens })));
  return { inputTokens: decoded.inputTokens, bytes };
}

/**
 * Returns the tokens to charge if the provider reports none: the input tokens, or a quarter of the input text's
 * bytes.
 */
function countWritten({ inputs }: EmbeddingsRequest): number {
  const count = (input: (typeof inputs)[number]) =>
    typeof input === 'string' ? Math.ceil(Buffer.byteLength(input) / bytesPerToken) : input.length;
  return inputs.reduce((tokens, input) => tokens + count(input), 0);
}

const bytesPerToken = 4;
