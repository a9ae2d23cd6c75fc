import { deliver } from '../delivery/deliver.ts';
import { answerPrompt } from '../generation/answer.ts';
import type { Call } from '../http/vendor.ts';
import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { checkParameters, checkToolResults, isObject, missing, objectsIn } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { invalidRequest } from '../request/problem.ts';
import { describeReceived } from '../request/received.ts';
import { encodeStream, encodeWhole } from './encode.ts';
import { uuidOf } from './errors.ts';
import { chatParameters } from './parameters.ts';
import { readPrompt } from './read-prompt.ts';

/** Throws `RequestRefused` for an invalid request. */
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

type Fields = Record<string, unknown>;

/** Throws `RequestRefused` for a request that Cohere would reject. */
export function readRequest(body: Fields): Model {
  for (const name of ['model', 'messages']) if (body[name] === undefined) throw missing(name);
  checkParameters(body, chatParameters);
  const model = findGenerator(String(body.model));
  checkToolResults(body.messages);
  for (const [index, message] of objectsIn(body.messages).entries()) checkAnswer(message, index);
  const toolCount = objectsIn(body.tools).length;
  if (body.tool_choice && toolCount === 0)
    throw invalidRequest(null, 'tool_choice', 'only allowed with tools');
  const isJson = isObject(body.response_format) && body.response_format.type === 'json_object';
  if (isJson && toolCount > 0)
    throw invalidRequest(null, 'response_format', 'JSON cannot be requested together with tools');
  return model;
}

function checkAnswer({ role, content, tool_calls: calls }: Fields, index: number): void {
  if (role !== 'assistant' || objectsIn(calls).length > 0) return;
  const isEmpty = typeof content === 'string' ? content === '' : objectsIn(content).length === 0;
  if (isEmpty) throw invalidRequest(null, `messages[${index}]`, 'a message must have content or tool calls');
}
