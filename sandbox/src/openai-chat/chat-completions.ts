import { pause, untilOver } from '../delivery/connection.ts';
import type { Delivered } from '../delivery/delivery.ts';
import { sendStream } from '../delivery/stream.ts';
import { sendWhole } from '../delivery/whole.ts';
import { answerPrompt } from '../generation/answer.ts';
import { readBody } from '../http/read-body.ts';
import type { WritableJournal } from '../journal.ts';
import type { RefusalKind } from '../models/catalogue.ts';
import { type Call, responseHeaders, sendError } from './call.ts';
import { isObject } from './checks.ts';
import { encodeCompletion } from './encode-completion.ts';
import { encodeStream } from './encode-stream.ts';
import { invalidRequest, refusals } from './errors.ts';
import { readPrompt } from './read-prompt.ts';
import { type ChatRequest, readRequest } from './read-request.ts';

type Billed = Delivered & { promptTokens: number };

/** Answers a chat completion and journals it once it is accepted; throws `RequestRefused` when it is not. */
export async function completeChat(call: Call, journal: WritableJournal): Promise<void> {
  const received = await readBody(call.request);
  if (received === null) throw invalidRequest('request_too_large', null, 'The body is too large.', 413);
  const chat = readRequest(received);
  const { name, refusal, settings } = chat.model;
  const requestId = call.request.headers['x-client-request-id'];
  const billed = refusal
    ? await deliverRefusal(call, refusal, settings.first_byte_ms)
    : await deliverAnswer(call, chat, received);
  journal.append({
    requestId: typeof requestId === 'string' ? requestId : null,
    model: name,
    stream: chat.body.stream === true,
    ...billed,
    startedAt: call.startedAt,
    endedAt: Date.now(),
  });
}

async function deliverAnswer(call: Call, { body, model }: ChatRequest, received: string): Promise<Billed> {
  const prompt = readPrompt(body, () => describeReceived(call, received));
  const answer = answerPrompt(prompt, model);
  const envelope = {
    id: `chatcmpl-${call.id}`,
    created: Math.floor(call.startedAt / 1000),
    model: model.name,
  };
  const delivery = { response: call.response, model, answer, headers: () => responseHeaders(call) };
  const delivered = body.stream
    ? await sendStream(delivery, encodeStream(envelope, answer, asksForUsage(body) && !model.hidesUsage))
    : await sendWhole(delivery, encodeCompletion(envelope, answer, !model.hidesUsage));
  return { promptTokens: prompt.promptTokens, ...delivered };
}

async function deliverRefusal(call: Call, kind: RefusalKind, delayMs: number): Promise<Billed> {
  if (delayMs > 0) await pause(call.response, delayMs);
  sendError(call, refusals[kind]);
  await untilOver(call.response);
  return { promptTokens: 0, completionTokens: 0, outcome: 'refused' };
}

function asksForUsage({ stream_options: options }: Record<string, unknown>): boolean {
  return isObject(options) && options.include_usage === true;
}

/** What the client sent, for a test to see; of its key only the end. */
function describeReceived({ request }: Call, body: string) {
  const authorization = `****${request.headers.authorization?.slice(-4)}`;
  return { path: request.url ?? '', headers: { ...request.headers, authorization }, body };
}
