import { deliver } from '../delivery/deliver.ts';
import { answerPrompt } from '../generation/answer.ts';
import type { Call } from '../http/vendor.ts';
import { readJsonBody } from '../request/json-body.ts';
import { describeReceived } from '../request/received.ts';
import { encodeStream } from './encode-stream.ts';
import { encodeWhole } from './encode-whole.ts';
import { uuidOf } from './errors.ts';
import { readPrompt } from './read-prompt.ts';
import { readRequest } from './read-request.ts';

/** Responds to a chat request; throws `RequestRefused` if it is not acceptable. */
export async function chat(call: Call): Promise<void> {
  const { text, body } = await readJsonBody(call);
  const model = readRequest(body);
  const prompt = readPrompt(body, () => describeReceived(call, text));
  const envelope = { id: uuidOf(call.id), callId: call.id, showsUsage: !model.hidesUsage };
  const isStream = body.stream === true;
  await deliver(call, {
    protocol: 'cohere',
    operation: 'generate',
    model,
    isStream,
    answer: () => answerPrompt(prompt, model),
    encode: (answer) => (isStream ? encodeStream(envelope, answer) : encodeWhole(envelope, answer)),
  });
}
