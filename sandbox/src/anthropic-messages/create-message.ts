import { deliver } from '../delivery/deliver.ts';
import { answerPrompt, emptyAnswer } from '../generation/answer.ts';
import { isSigned } from '../generation/signature.ts';
import type { Call } from '../http/vendor.ts';
import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { type Check, checkParameters, isObject, missing, objectsIn } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { invalidRequest } from '../request/problem.ts';
import { describeReceived } from '../request/received.ts';
import { type Envelope, encodeStream, encodeWhole } from './encode.ts';
import { countParameters, messageParameters } from './parameters.ts';
import { readPrompt } from './read-prompt.ts';

const isThought = ({ type }: Fields) => type === 'thinking' || type === 'redacted_thinking';

/**
 * Throws `RequestRefused` if a thinking block was changed, or if thinking is combined with an incompatible parameter.
 */
function checkThinking(body: Fields): void {
  const messages = objectsIn(body.messages);
  for (const [index, { content }] of messages.entries()) {
    for (const [at, block] of objectsIn(content).entries()) {
      if (isThought(block) && !isSigned(String(block.thinking ?? ''), block.signature)) {
        const rule = `Invalid \`signature\` in \`${block.type}\` block`;
        throw invalidRequest(null, `messages[${index}].content[${at}]`, rule);
      }
    }
  }
  const isCountOnly = body.max_tokens === undefined;
  if (isCountOnly || !isObject(body.thinking) || body.thinking.type === 'disabled') return;
  checkSampling(body);
  if (body.thinking.type !== 'enabled') return;
  if (Number(body.max_tokens) <= Number(body.thinking.budget_tokens))
    throw invalidRequest(null, null, '`max_tokens` must be greater than `thinking.budget_tokens`.');
  checkLastTurn(messages);
}

function checkSampling({ temperature, top_k, top_p, tool_choice: choice }: Fields): void {
  if (temperature !== undefined && temperature !== 1)
    throw invalidRequest(null, null, '`temperature` may only be set to 1 when thinking is enabled.');
  if (top_k !== undefined)
    throw invalidRequest(null, null, '`top_k` must be unset when thinking is enabled.');
  if (top_p !== undefined && Number(top_p) < 0.95)
    throw invalidRequest(
      null,
      null,
      '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.',
    );
  if (isObject(choice) && (choice.type === 'any' || choice.type === 'tool'))
    throw invalidRequest(null, null, 'Thinking may not be enabled when tool_choice forces tool use.');
}

/** Throws `RequestRefused` if the turn that called tools does not start with its thinking block. */
function checkLastTurn(messages: Fields[]): void {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const blocks = objectsIn(messages[index]?.content);
  const [first] = blocks;
  if (!first || isThought(first) || !blocks.some(({ type }) => type === 'tool_use')) return;
  const rule = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`.`;
  const hint = 'When `thinking` is enabled, a final `assistant` message must start with a thinking block.';
  throw invalidRequest(null, `messages[${index}].content[0].type`, `${rule} ${hint}`);
}

type Fields = Record<string, unknown>;

const breakpointsMax = 4;

/** Throws `RequestRefused` for a request that Anthropic would reject. */
export function readRequest(body: Fields, parameters: Record<string, Check>): Model {
  const required = ['model', 'messages', 'max_tokens'].filter((name) => Object.hasOwn(parameters, name));
  for (const name of required) if (body[name] === undefined) throw missing(name);
  checkParameters(body, parameters);
  const model = findGenerator(String(body.model));
  checkConversation(objectsIn(body.messages));
  checkTools(body);
  checkThinking(body);
  const breakpointCount = readCacheBreakpoints(body).length;
  if (breakpointCount > breakpointsMax) {
    const rule = `A maximum of ${breakpointsMax} blocks with cache_control may be provided.`;
    throw invalidRequest(null, null, `${rule} Found ${breakpointCount}.`);
  }
  return model;
}

function checkTools({ tools, tool_choice: choice }: Fields): void {
  const names = objectsIn(tools).map(({ name }) => name);
  if (new Set(names).size < names.length) throw invalidRequest(null, 'tools', 'Tool names must be unique.');
  if (!isObject(choice)) return;
  if (names.length === 0)
    throw invalidRequest(null, 'tool_choice', 'may only be specified while providing tools');
  if (choice.type === 'tool' && !names.includes(choice.name))
    throw invalidRequest(null, null, `Tool '${choice.name}' not found in provided tools`);
}

/** Throws `RequestRefused` for an invalid request. */
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

/**
 * Responds with the number of input tokens that a message would be billed for. The request itself is free of charge.
 */
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

/** Throws `RequestRefused` unless the messages are in the order that Anthropic requires. */
function checkConversation(messages: Fields[]): void {
  if (messages[0]?.role !== 'user')
    throw invalidRequest(null, null, 'messages: first message must use the "user" role');
  for (const [index, message] of messages.entries()) checkContent(message, index, messages.length - 1);
  checkToolResults(messages);
}

function checkContent({ role, content }: Fields, index: number, last: number): void {
  const isFinalAnswer = role === 'assistant' && index === last;
  if ((content === '' || (Array.isArray(content) && content.length === 0)) && !isFinalAnswer) {
    const rule = 'all messages must have non-empty content except for the optional final assistant message';
    throw invalidRequest(null, `messages[${index}]`, rule);
  }
  const text = typeof content === 'string' ? content : objectsIn(content).at(-1)?.text;
  if (isFinalAnswer && /\s$/.test(String(text ?? '')))
    throw invalidRequest(null, 'messages', 'final assistant content cannot end with trailing whitespace');
}

/**
 * Throws `RequestRefused` unless each tool use has its result at the start of the next user message, and each result
 * has a tool use.
 */
function checkToolResults(messages: Fields[]): void {
  const seen = new Set<unknown>();
  let open: unknown[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system') continue;
    const blocks = objectsIn(content);
    checkResults(blocks, open, index);
    open = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
    for (const id of open) {
      if (seen.has(id)) throw invalidRequest(null, `messages[${index}]`, '`tool_use` ids must be unique');
      seen.add(id);
    }
  }
  checkResults([], open, messages.length);
}

function checkResults(blocks: Fields[], open: unknown[], index: number): void {
  const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
  const leading = firstOther < 0 ? blocks : blocks.slice(0, firstOther);
  const answered = leading.map(({ tool_use_id: id }) => id);
  const missing = open.filter((id) => !answered.includes(id));
  if (missing.length > 0) {
    const rule = '`tool_use` ids were found without `tool_result` blocks immediately after';
    throw invalidRequest(null, `messages[${index - 1}]`, `${rule}: ${missing.join(', ')}`);
  }
  const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id);
  const foreign = results.find((id) => !open.includes(id));
  if (foreign !== undefined) {
    const rule =
      'unexpected `tool_use_id` found in `tool_result` blocks, the previous message has no such use';
    throw invalidRequest(null, `messages[${index}]`, `${rule}: ${foreign}`);
  }
  if (new Set(results).size < results.length)
    throw invalidRequest(null, `messages[${index}]`, 'each tool_use must have a single result');
}

function readCacheBreakpoints(body: Fields): Fields[] {
  const contents = objectsIn(body.messages).flatMap(({ content }) => objectsIn(content));
  const nested = contents.flatMap(({ content }) => objectsIn(content));
  return [body, ...objectsIn(body.system), ...objectsIn(body.tools), ...contents, ...nested]
    .map((holder) => holder.cache_control)
    .filter(isObject);
}
