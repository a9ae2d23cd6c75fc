import { toStreamEvents } from '#protocols/translation/response-events.ts';
import { restoreToolNames } from '#protocols/translation/tool-names.ts';
import { type Answer, type AttemptedCompletion, addResult } from '../exchange.ts';
import { collectAnswer, readWholeAnswer } from './read-whole-answer.ts';
import type { ResponseHold } from './response-hold.ts';
import { beginStream, createAnswerContext } from './stream-writer.ts';

const jsonType = /^application\/json\b/i;

/** Returns whether a provider returned a whole response, or an error, to a streaming request. */
export function hasIgnoredStreaming({ attempt, upstream }: AttemptedCompletion): boolean {
  return (
    attempt.protocol.provider.framing === 'sse' && jsonType.test(String(upstream.headers['content-type']))
  );
}

/**
 * Sends the whole response of a provider that does not stream as a stream.
 * @throws GatewayError if the response is an error. Nothing has been sent then, so the caller gets the error's
 * status.
 */
export async function streamWholeAnswer(exchange: AttemptedCompletion, hold: ResponseHold): Promise<void> {
  const { abort, attempt, head, response, route, startedMs } = exchange;
  const { answer, decoded, failure } = readWholeAnswer(exchange, await collectAnswer(exchange, hold));
  const sent: Answer = { ...answer, firstByteMs: null };
  addResult(exchange, 'relay', { answer: sent });
  if (abort.hasLeft) return;
  if (failure) throw failure;
  head.addWarnings(['stream']);
  const encoder = route.protocol.caller.createStreamEncoder(createAnswerContext(exchange));
  const events = toStreamEvents(restoreToolNames(decoded, attempt.callerTools));
  const text = events.map((event) => encoder.encode(event)).join('');
  sent.bytes = Buffer.byteLength(text);
  hold.requireToSend(sent.bytes);
  sent.firstByteMs = performance.now() - startedMs;
  // Keep-alive comments may have started the stream already.
  if (!response.headersSent) beginStream(exchange);
  response.end(text);
}
