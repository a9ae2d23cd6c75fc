import type { Answer } from '../generation/answer.ts';
import { type Call, sendProblem } from '../http/vendor.ts';
import type { Operation, Protocol } from '../journal.ts';
import type { ErrorKind, Model } from '../models/catalogue.ts';
import { problemOf } from '../request/problem.ts';
import { pause, untilOver } from './delivery.ts';
import { type FrameStream, sendStream } from './stream.ts';
import { nothingDelivered, sendWhole } from './whole.ts';

export interface Work {
  protocol: Protocol;
  operation: Operation;
  model: Model;
  isStream: boolean;
  answer: () => Answer;
  /** Returns a stream if the client requested one, otherwise the response body. */
  encode: (answer: Answer) => FrameStream | string;
}

export async function deliver(call: Call, work: Work): Promise<void> {
  const { protocol, operation, model, isStream } = work;
  const requestId = call.request.headers['x-client-request-id'];
  const billed =
    model.error === null ? await deliverAnswer(call, work) : await deliverError(call, work, model.error);
  call.journal.append({
    requestId: typeof requestId === 'string' ? requestId : null,
    protocol,
    operation,
    model: model.name,
    stream: isStream,
    ...billed,
    startedAt: call.startedAt,
    endedAt: Date.now(),
  });
}

async function deliverAnswer(call: Call, work: Work) {
  const { model } = work;
  const answer = work.answer();
  const encoded = work.encode(answer);
  const isWhole = typeof encoded === 'string';
  if (model.fault === 'error' && isWhole) return deliverError(call, work, 'internal_error');
  const delivery = { response: call.response, model, answer, headers: () => call.vendor.headers(call) };
  const delivered = isWhole ? await sendWhole(delivery, encoded) : await sendStream(delivery, encoded);
  const { promptTokens, cachedTokens, cacheWriteTokens } = answer;
  // Reasoning precedes all text, so sent tokens count as reasoning first.
  const reasoningTokens = Math.min(answer.reasoningTokens, delivered.completionTokens);
  return { promptTokens, cachedTokens, cacheWriteTokens, reasoningTokens, ...delivered };
}

async function deliverError(call: Call, { model }: Work, kind: ErrorKind) {
  if (model.settings.first_byte_ms > 0) await pause(call.response, model.settings.first_byte_ms);
  sendProblem(call, problemOf(kind));
  await untilOver(call.response);
  const nothing = { promptTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  return { ...nothing, ...nothingDelivered('refused') };
}
