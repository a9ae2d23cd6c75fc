import type { Answer } from '../generation/answer.ts';
import { sendProblem } from '../http/send.ts';
import type { Call } from '../http/vendor.ts';
import type { Operation, Protocol } from '../journal.ts';
import type { ErrorKind, Model } from '../models/catalogue.ts';
import { problemOf } from '../request/problem.ts';
import { pause, untilOver } from './connection.ts';
import { type FrameStream, sendStream } from './stream.ts';
import { nothingDelivered, sendWhole } from './whole.ts';

/** An accepted request: who answers it, and how its protocol writes the answer. */
export interface Work {
  protocol: Protocol;
  operation: Operation;
  model: Model;
  isStream: boolean;
  answer: () => Answer;
  /** a stream when that is what the client asked for */
  encode: (answer: Answer) => FrameStream | string;
}

/** Answers an accepted request, or fails as its model does, and journals how that went. */
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
  // What was reasoned comes before all that was said, so it is the first to be billed.
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
