import { deliver } from '../delivery/deliver.ts';
import { answerPrompt, emptyAnswer } from '../generation/answer.ts';
import type { Call } from '../http/vendor.ts';
import { isObject } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { describeReceived } from '../request/received.ts';
import { readCacheBreakpoints } from './cache-breakpoints.ts';
import { encodeStream } from './encode-stream.ts';
import { type Envelope, encodeWhole } from './encode-whole.ts';
import { countParameters, messageParameters } from './parameters.ts';
import { readPrompt } from './read-prompt.ts';
import { readRequest } from './read-request.ts';

/** Responds with a message; throws `RequestRefused` if the request is not acceptable. */
export async function createMessage(call: Call): Promise<void> {
  const { text, body } = await readJsonBody(call);
  const model = readRequest(body, messageParameters);
  const prompt = readPrompt(body, () => describeReceived(call, text));
  const envelope: Envelope = {
    id: call.id,
    model: model.name,
    showsUsage: !model.hidesUsage,
    hidesThoughts: isObject(body.thinking) && body.thinking.display === 'omitted',
    cacheTtl: readCacheBreakpoints(body).some(({ ttl }) => ttl === '1h') ? '1h' : '5m',
  };
  const isStream = body.stream === true;
  await deliver(call, {
    protocol: 'anthropic-messages',
    operation: 'generate',
    model,
    isStream,
    answer: () => answerPrompt(prompt, model),
    encode: (answer) => (isStream ? encodeStream(envelope, answer) : encodeWhole(envelope, answer)),
  });
}

/** Responds with the input tokens that a message would be billed; free of charge. */
export async function countMessageTokens(call: Call): Promise<void> {
  const { text, body } = await readJsonBody(call);
  const model = readRequest(body, countParameters);
  const { promptTokens } = readPrompt(body, () => describeReceived(call, text));
  await deliver(call, {
    protocol: 'anthropic-messages',
    operation: 'count_tokens',
    model,
    isStream: false,
    answer: () => emptyAnswer(0),
    encode: () => JSON.stringify({ input_tokens: promptTokens }),
  });
}
