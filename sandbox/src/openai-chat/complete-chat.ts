import { deliver } from '../delivery/deliver.ts';
import { answerPrompt } from '../generation/answer.ts';
import {
  type AnswerFormat,
  type Attachment,
  type Prompt,
  type ReceivedRequest,
  readTurns,
  type Turn,
} from '../generation/prompt.ts';
import type { Call } from '../http/vendor.ts';
import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { checkIfStrict } from '../openai/strict-schema.ts';
import { checkParameters, checkToolResults, isObject, missing, objectsIn } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { describeUrl } from '../request/media.ts';
import { invalidRequest } from '../request/problem.ts';
import { describeReceived } from '../request/received.ts';
import { encodeStream, encodeWhole } from './encode.ts';
import { parameters, textOfContent } from './parameters.ts';

const totalTokensMax = 200_000;

/** Throws `RequestRefused` for a request that OpenAI would reject. */
export function readRequest(body: Record<string, unknown>): Model {
  checkParameters(body, parameters);
  for (const name of ['model', 'messages']) if (body[name] === undefined) throw missing(name);
  checkToolResults(body.messages);
  const model = findGenerator(String(body.model));
  checkTogether(body, model);
  return model;
}

function checkTogether(body: Record<string, unknown>, model: Model): void {
  const has = (name: string) => body[name] !== undefined && body[name] !== null;
  if (model.isReasoning && has('max_tokens')) {
    const rule = "not supported with this model, use 'max_completion_tokens' instead";
    throw invalidRequest('unsupported_parameter', 'max_tokens', rule);
  }
  for (const name of ['temperature', 'top_p']) {
    if (model.isReasoning && has(name) && body[name] !== 1)
      throw invalidRequest('unsupported_value', name, 'this model supports only the default, 1');
  }
  if (has('max_tokens') && has('max_completion_tokens')) {
    const rule = "cannot be set together with 'max_completion_tokens'";
    throw invalidRequest('invalid_parameter_combination', 'max_tokens', rule);
  }
  if (Number(body.n ?? 1) * model.settings.tokens > totalTokensMax) {
    throw invalidRequest(
      'invalid_value',
      'n',
      `all choices together may have at most ${totalTokensMax} tokens`,
    );
  }
  for (const [index, tool] of objectsIn(body.tools).entries())
    checkIfStrict(tool.function, 'parameters', `tools[${index}].function`);
  if (isObject(body.response_format))
    checkIfStrict(body.response_format.json_schema, 'schema', 'response_format.json_schema');
  needs(body, 'stream_options', 'stream');
  needs(body, 'top_logprobs', 'logprobs');
  needs(body, 'tool_choice', 'tools');
  needs(body, 'parallel_tool_calls', 'tools');
}

function needs(body: Record<string, unknown>, name: string, condition: string): void {
  if (body[name] === undefined || body[name] === null || body[condition]) return;
  throw invalidRequest(null, name, `only allowed with '${condition}'`);
}

/** Throws `RequestRefused` for an invalid request. */
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

type Fields = Record<string, unknown>;

function readPrompt(body: Fields, received: () => ReceivedRequest): Prompt {
  const { tools, mustCall } = readTools(body);
  return {
    ...readTurns(objectsIn(body.messages).map(readTurn)),
    choiceCount: Number(body.n ?? 1),
    maxTokens: Number(body.max_completion_tokens ?? body.max_tokens ?? Infinity),
    stopSequences: [body.stop ?? []].flat().map(String).filter(Boolean),
    format: readFormat(body.response_format),
    tools,
    mustCall,
    allowsParallelCalls: body.parallel_tool_calls !== false,
    reasoning: { mode: body.reasoning_effort === 'none' ? 'off' : 'default', maxTokens: Infinity },
    received,
  };
}

function readTurn({ role, content }: Fields): Turn {
  const text = textOfContent(content);
  switch (role) {
    case 'user':
      return { role, text, attachments: objectsIn(content).flatMap(readAttachment) };
    case 'assistant':
    case 'tool':
      return { role, text };
    case 'function':
      return { role: 'tool', text };
    default:
      return { role: 'system', text };
  }
}

function readAttachment({ image_url: image, input_audio: audio, file }: Fields): Attachment[] {
  if (isObject(image)) return [describeUrl(String(image.url), 'image')];
  if (isObject(audio)) return [describeUrl(`data:audio/${audio.format};base64,${audio.data}`, 'audio')];
  if (isObject(file)) return [describeUrl(String(file.file_data ?? file.file_id), 'file')];
  return [];
}

function readFormat(format: unknown): AnswerFormat {
  if (!isObject(format) || format.type === 'text') return { kind: 'text' };
  if (!isObject(format.json_schema)) return { kind: 'json' };
  return { kind: 'schema', schema: format.json_schema.schema };
}

function readTools({ tools, tool_choice: choice }: Fields): Pick<Prompt, 'tools' | 'mustCall'> {
  if (choice === 'none') return { tools: [], mustCall: false };
  const offered = objectsIn(tools)
    .map((tool) => tool.function)
    .filter(isObject)
    .map(({ name, parameters }) => ({ name: String(name), schema: parameters ?? { type: 'object' } }));
  const named = isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;
  if (named === undefined) return { tools: offered, mustCall: choice === 'required' };
  return { tools: offered.filter(({ name }) => name === named), mustCall: true };
}
