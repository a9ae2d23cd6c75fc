import { deliver } from '../delivery/deliver.ts';
import { answerPrompt, emptyAnswer } from '../generation/answer.ts';
import type { Call } from '../http/vendor.ts';
import { findGenerator } from '../models/find-model.ts';
import { objectsIn } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { describeReceived } from '../request/received.ts';
import { type Envelope, encodeStream, encodeWhole } from './encode.ts';
import { withoutTag } from './model-name.ts';
import { chat as checkChat } from './parameters.ts';
import { readPrompt } from './read-prompt.ts';

/** Responds to a chat request, streamed by default; throws `RequestRefused` if it is not acceptable. */
export async function chat(call: Call): Promise<void> {
  const { text, body } = await readJsonBody(call);
  checkChat(body, 'ChatRequest');
  const model = findGenerator(withoutTag(String(body.model)));
  const prompt = readPrompt(body, () => describeReceived(call, text));
  // Without messages the model is only loaded.
  const isLoad = objectsIn(body.messages).length === 0;
  const envelope: Envelope = {
    id: call.id,
    model: String(body.model),
    createdAt: new Date(call.startedAt).toISOString(),
    showsUsage: !model.hidesUsage,
    isLoad,
  };
  const isStream = body.stream !== false;
  await deliver(call, {
    protocol: 'ollama',
    operation: 'generate',
    model,
    isStream,
    answer: () => (isLoad ? emptyAnswer(0) : answerPrompt(prompt, model)),
    encode: (answer) => (isStream ? encodeStream(envelope, answer) : encodeWhole(envelope, answer)),
  });
}
