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
import { unseal } from '../generation/signature.ts';
import type { Call } from '../http/vendor.ts';
import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { checkIfStrict } from '../openai/strict-schema.ts';
import { checkParameters, isObject, missing, objectsIn } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { describeUrl } from '../request/media.ts';
import { invalidRequest, RequestRefused } from '../request/problem.ts';
import { describeReceived } from '../request/received.ts';
import { type Envelope, encodeStream, encodeWhole, requiredThoughts } from './encode.ts';
import { parameters } from './parameters.ts';
import { chooseFunctions } from './tools.ts';

/** Throws `RequestRefused` for an invalid request. */
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

type Fields = Record<string, unknown>;

/** Throws `RequestRefused` for a request that OpenAI would reject. */
export function readRequest(body: Fields): Model {
  checkParameters(body, parameters);
  for (const name of ['model', 'input']) if (body[name] === undefined) throw missing(name);
  const model = findModelOrRefuse(String(body.model));
  checkState(body);
  checkTools(body);
  if (isObject(body.text)) checkIfStrict(body.text.format, 'schema', 'text.format');
  checkConversation(objectsIn(body.input), body.store !== false);
  for (const name of ['temperature', 'top_p']) {
    if (model.isReasoning && typeof body[name] === 'number')
      throw invalidRequest(null, name, 'not supported with this model');
  }
  return model;
}

/** The Responses API reports an unknown model as an invalid value and not as 404. */
function findModelOrRefuse(name: string): Model {
  try {
    return findGenerator(name);
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    throw invalidRequest('model_not_found', 'model', error.problem.message);
  }
}

/** Throws `RequestRefused` for references to stored responses, because the sandbox stores none. */
function checkState(body: Fields): void {
  const { previous_response_id: previous, conversation, prompt, background } = body;
  if (typeof previous === 'string') {
    const rule = `Previous response with id '${previous}' not found.`;
    throw invalidRequest('previous_response_not_found', 'previous_response_id', rule);
  }
  if (conversation) throw invalidRequest(null, 'conversation', 'unknown conversation');
  if (prompt) throw invalidRequest(null, 'prompt', 'unknown prompt');
  if (background) throw invalidRequest(null, 'background', 'not supported with this model');
}

function checkTools(body: Fields): void {
  const { tools, tool_choice: choice } = body;
  for (const [index, tool] of objectsIn(tools).entries())
    checkIfStrict(tool, 'parameters', `tools[${index}]`);
  if (!isObject(choice) || choice.type !== 'function') return;
  if (chooseFunctions(body).length === 0)
    throw invalidRequest(null, 'tool_choice', `there is no function '${choice.name}' in 'tools'`);
}

/**
 * Throws `RequestRefused` unless the input items are consistent. If `isStored`, reasoning items may omit their
 * encrypted content.
 */
function checkConversation(items: Fields[], isStored: boolean): void {
  checkOutputs(items, 'function_call', 'function call');
  checkOutputs(items, 'custom_tool_call', 'custom tool call');
  const ids = new Set(items.map(({ id }) => id));
  for (const [index, item] of items.entries()) {
    if (item.type === 'item_reference') throw notFound(item.id);
    if (item.type === 'reasoning') checkThoughts(item, items[index + 1], isStored);
    const thoughts = requiredThoughts(item.id);
    if (thoughts !== null && !ids.has(thoughts)) {
      const what = `Item '${item.id}' of type '${item.type ?? 'message'}'`;
      throw invalidInput(`${what} was provided without its required 'reasoning' item: '${thoughts}'.`);
    }
  }
}

function checkOutputs(items: Fields[], type: string, name: string): void {
  const open = new Set<unknown>();
  const known = new Set<unknown>();
  for (const item of items) {
    if (item.type === type) {
      known.add(item.call_id);
      open.add(item.call_id);
    }
    if (item.type !== `${type}_output`) continue;
    if (!known.has(item.call_id))
      throw invalidInput(`No tool call found for ${name} output with call_id ${item.call_id}.`);
    open.delete(item.call_id);
  }
  for (const callId of open) throw invalidInput(`No tool output found for ${name} ${callId}.`);
}

function checkThoughts(
  { id, encrypted_content: encrypted }: Fields,
  next: Fields | undefined,
  isStored: boolean,
) {
  if (typeof encrypted === 'string' && unseal(encrypted) === null) {
    const rule = `The encrypted content for item ${id} could not be verified.`;
    throw invalidRequest('invalid_encrypted_content', null, rule);
  }
  if (typeof encrypted !== 'string' && !(isStored && /^rs_\d+_\d+$/.test(String(id)))) throw notFound(id);
  if (next === undefined || next.role === 'user' || next.type === 'function_call_output')
    throw invalidInput(`Item '${id}' of type 'reasoning' was provided without its required following item.`);
}

function notFound(id: unknown) {
  return invalidInput(
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`,
  );
}

function invalidInput(message: string) {
  return invalidRequest(null, null, message);
}

function readPrompt(body: Fields, received: () => ReceivedRequest): Prompt {
  const items =
    typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : objectsIn(body.input);
  const system: Turn = { role: 'system', text: String(body.instructions ?? '') };
  const { tools, mustCall } = readTools(body);
  return {
    ...readTurns([system, ...items.map(readItem)]),
    choiceCount: 1,
    maxTokens: Number(body.max_output_tokens ?? Infinity),
    stopSequences: [],
    format: readFormat(body.text),
    tools,
    mustCall,
    allowsParallelCalls: body.parallel_tool_calls !== false,
    reasoning: { mode: readReasoningMode(body.reasoning), maxTokens: Infinity },
    received,
  };
}

function readItem(item: Fields): Turn {
  if (String(item.type).endsWith('_output')) {
    return {
      role: 'tool',
      text: textOf(item.output),
      attachments: objectsIn(item.output).flatMap(readAttachment),
    };
  }
  const text = textOf(item.content);
  if (item.role === 'user')
    return { role: 'user', text, attachments: objectsIn(item.content).flatMap(readAttachment) };
  if (item.role === 'system' || item.role === 'developer') return { role: 'system', text };
  return { role: 'assistant', text: item.type === 'reasoning' ? '' : text };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

function readAttachment({ type, image_url: image, file_data: data }: Fields): Attachment[] {
  if (type === 'input_image') return [describeUrl(String(image), 'image')];
  if (type === 'input_file') return [describeUrl(String(data), 'file')];
  return [];
}

function readFormat(text: unknown): AnswerFormat {
  const format = isObject(text) && isObject(text.format) ? text.format : { type: 'text' };
  switch (format.type) {
    case 'json_object':
      return { kind: 'json' };
    case 'json_schema':
      return { kind: 'schema', schema: Reflect.get(format, 'schema') };
    default:
      return { kind: 'text' };
  }
}

function readTools(body: Fields): Pick<Prompt, 'tools' | 'mustCall'> {
  const { tool_choice: choice } = body;
  const isNamed = isObject(choice) && (choice.type === 'function' || choice.mode === 'required');
  return { tools: chooseFunctions(body), mustCall: isNamed || choice === 'required' };
}

function readReasoningMode(reasoning: unknown): Prompt['reasoning']['mode'] {
  if (!isObject(reasoning)) return 'default';
  if (reasoning.effort === 'none') return 'off';
  return (reasoning.effort ?? reasoning.summary) ? 'on' : 'default';
}
