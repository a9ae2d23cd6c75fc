import {
  type AnswerFormat,
  type Attachment,
  type Prompt,
  type Reasoning,
  type ReceivedRequest,
  readTurns,
  type Turn,
} from '../generation/prompt.ts';
import { isObject, objectsIn } from '../request/checks.ts';
import { describeUrl } from '../request/media.ts';

type Fields = Record<string, unknown>;

export function readPrompt(body: Fields, received: () => ReceivedRequest): Prompt {
  const isForbidden = body.tool_choice === 'NONE';
  return {
    ...readTurns(objectsIn(body.messages).map(readMessage)),
    choiceCount: 1,
    maxTokens: Number(body.max_tokens ?? Infinity),
    stopSequences: [body.stop_sequences ?? []].flat().map(String),
    format: readFormat(body.response_format),
    tools: isForbidden ? [] : objectsIn(body.tools).flatMap(readTool),
    mustCall: body.tool_choice === 'REQUIRED',
    allowsParallelCalls: true,
    reasoning: readReasoning(body.thinking),
    received,
  };
}

function readMessage({ role, content }: Fields): Turn {
  const text = textOf(content);
  if (role === 'user') return { role, text, attachments: objectsIn(content).flatMap(readAttachment) };
  return { role: role === 'assistant' || role === 'tool' ? role : 'system', text };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ text, document }) => (typeof text === 'string' ? text : document ? JSON.stringify(document) : ''))
    .join('');
}

export function readAttachment({ image_url: image }: Fields): Attachment[] {
  return isObject(image) ? [describeUrl(String(image.url), 'image')] : [];
}

function readFormat(format: unknown): AnswerFormat {
  if (!isObject(format) || format.type === 'text') return { kind: 'text' };
  return format.json_schema ? { kind: 'schema', schema: format.json_schema } : { kind: 'json' };
}

function readTool({ function: tool }: Fields): Prompt['tools'] {
  if (!isObject(tool)) return [];
  return [{ name: String(tool.name), schema: tool.parameters ?? { type: 'object' } }];
}

function readReasoning(thinking: unknown): Reasoning {
  if (!isObject(thinking)) return { mode: 'default', maxTokens: Infinity };
  if (thinking.type === 'disabled') return { mode: 'off', maxTokens: 0 };
  return { mode: 'on', maxTokens: Number(thinking.token_budget ?? Infinity) };
}
