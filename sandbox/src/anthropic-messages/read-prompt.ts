import {
  type Attachment,
  type Prompt,
  type ReceivedRequest,
  readTurns,
  type Turn,
} from '../generation/prompt.ts';
import { isObject, objectsIn } from '../request/checks.ts';
import { decodedLength } from '../request/media.ts';

type Fields = Record<string, unknown>;

export function readPrompt(body: Fields, received: () => ReceivedRequest): Prompt {
  const format = isObject(body.output_config) ? body.output_config.format : null;
  const choice = isObject(body.tool_choice) ? body.tool_choice : {};
  return {
    ...readTurns([readSystem(body.system), ...objectsIn(body.messages).flatMap(readMessage)]),
    choiceCount: 1,
    maxTokens: Number(body.max_tokens),
    stopSequences: [body.stop_sequences ?? []].flat().map(String),
    format: isObject(format) ? { kind: 'schema', schema: format.schema } : { kind: 'text' },
    tools: readTools(body.tools, choice),
    mustCall: choice.type === 'any' || choice.type === 'tool',
    allowsParallelCalls: choice.disable_parallel_tool_use !== true,
    reasoning: readReasoning(body.thinking),
    countsCacheWrites: true,
    received,
  };
}

function readSystem(system: unknown): Turn {
  return { role: 'system', text: textOf(system) };
}

/** Splits a user message into tool results and text, which belong to different turns. */
function readMessage({ role, content }: Fields): Turn[] {
  if (role !== 'user') return [{ role: role === 'system' ? role : 'assistant', text: textOf(content) }];
  const blocks = objectsIn(content);
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const turns: Turn[] = results.map((result) => ({
    role: 'tool',
    text: textOf(result.content),
    attachments: objectsIn(result.content).flatMap(readAttachment),
  }));
  if (blocks.length === 0 || blocks.length > results.length)
    turns.push({ role: 'user', text: textOf(content), attachments: blocks.flatMap(readAttachment) });
  return turns;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ type, text }) => (type === 'text' ? String(text) : ''))
    .join('');
}

function readAttachment({ type, source }: Fields): Attachment[] {
  if (!isObject(source)) return [];
  if (source.type === 'base64') {
    return [{ mediaType: String(source.media_type), byteCount: decodedLength(String(source.data)) }];
  }
  if (source.type === 'text')
    return [{ mediaType: 'text/plain', byteCount: Buffer.byteLength(String(source.data)) }];
  return [{ mediaType: `${type} at a URL`, byteCount: null }];
}

function readTools(tools: unknown, choice: Fields): Prompt['tools'] {
  if (choice.type === 'none') return [];
  return objectsIn(tools)
    .filter(({ name, input_schema: schema }) => schema && (choice.type !== 'tool' || name === choice.name))
    .map(({ name, input_schema: schema }) => ({ name: String(name), schema }));
}

function readReasoning(thinking: unknown): Prompt['reasoning'] {
  if (!isObject(thinking) || thinking.type === 'disabled') return { mode: 'off', maxTokens: 0 };
  return { mode: 'on', maxTokens: Number(thinking.budget_tokens ?? Infinity) };
}
