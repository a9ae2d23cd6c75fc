import { deliver } from '../delivery/deliver.ts';
import { answerPrompt } from '../generation/answer.ts';
import type { Call } from '../http/vendor.ts';
import { isObject } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { describeReceived } from '../request/received.ts';
import { encodeStream } from './encode-stream.ts';
import { encodeWhole } from './encode-whole.ts';
import { readPrompt } from './read-prompt.ts';
import { readRequest } from './read-request.ts';

/** Responds to a chat completion request; throws `RequestRefused` if it is not acceptable. */
export async function completeChat(call: Call): Promise<void> {
  const { text, body } = await readJsonBody(call);
  const model = readRequest(body);
  const prompt = readPrompt(body, () => describeReceived(call, text));
  const envelope = {
    id: `chatcmpl-${call.id}`,
    created: Math.floor(call.startedAt / 1000),
    model: model.name,
  };
  const isStream = body.stream === true;
  await deliver(call, {
    protocol: 'openai-chat',
    operation: 'generate',
    model,
    isStream,
    answer: () => answerPrompt(prompt, model),
    encode: (answer) =>
      isStream
        ? encodeStream(envelope, answer, asksForUsage(body) && !model.hidesUsage)
        : encodeWhole(envelope, answer, !model.hidesUsage),
  });
}

function asksForUsage({ stream_options: options }: Record<string, unknown>): boolean {
  return isObject(options) && options.include_usage === true;
}
