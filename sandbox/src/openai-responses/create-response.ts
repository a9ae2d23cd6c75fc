import { deliver } from '../delivery/deliver.ts';
import { answerPrompt } from '../generation/answer.ts';
import type { Call } from '../http/vendor.ts';
import { isObject } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { describeReceived } from '../request/received.ts';
import { encodeStream } from './encode-stream.ts';
import { type Envelope, encodeWhole } from './encode-whole.ts';
import { readPrompt } from './read-prompt.ts';
import { readRequest } from './read-request.ts';

/** Responds to a responses request; throws `RequestRefused` if it is not acceptable. */
export async function createResponse(call: Call): Promise<void> {
  const { text, body } = await readJsonBody(call);
  const model = readRequest(body);
  const prompt = readPrompt(body, () => describeReceived(call, text));
  const envelope: Envelope = {
    callId: call.id,
    created: Math.floor(call.startedAt / 1000),
    model: model.name,
    body,
    showsUsage: !model.hidesUsage,
    showsThoughts: isObject(body.reasoning) && Boolean(body.reasoning.summary),
    givesThoughtsBack: Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content'),
  };
  const isStream = body.stream === true;
  await deliver(call, {
    protocol: 'openai-responses',
    operation: 'generate',
    model,
    isStream,
    answer: () => answerPrompt(prompt, model),
    encode: (answer) => (isStream ? encodeStream(envelope, answer) : encodeWhole(envelope, answer)),
  });
}
