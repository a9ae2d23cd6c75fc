import {
  type AnswerFormat,
  type Prompt,
  type Reasoning,
  type ReceivedRequest,
  readTurns,
  type Turn,
} from '../generation/prompt.ts';
import { isObject, objectsIn } from '../request/checks.ts';
import { decodedLength, sniffMediaType } from '../request/media.ts';

type Fields = Record<string, unknown>;

export function readPrompt(body: Fields, received: () => ReceivedRequest): Prompt {
  const options = isObject(body.options) ? body.options : {};
  const limit = Number(options.num_predict ?? -1);
  return {
    ...readTurns(objectsIn(body.messages).map(readMessage)),
    choiceCount: 1,
    maxTokens: limit < 0 ? Infinity : limit,
    stopSequences: [options.stop ?? []].flat().map(String),
    format: readFormat(body.format),
    tools: objectsIn(body.tools).flatMap(readTool),
    mustCall: false,
    allowsParallelCalls: true,
    reasoning: readReasoning(body.think),
    received,
  };
}

function readMessage({ role, content, images }: Fields): Turn {
  const text = String(content ?? '');
  const attachments = (Array.isArray(images) ? images.map(String) : []).map((image) => ({
    mediaType: sniffMediaType(image) ?? 'file',
    byteCount: decodedLength(image),
  }));
  switch (role) {
    case 'user':
    case 'assistant':
    case 'tool':
      return { role, text, attachments };
    default:
      return { role: 'system', text };
  }
}

function readFormat(format: unknown): AnswerFormat {
  if (isObject(format)) return { kind: 'schema', schema: format };
  return { kind: format === 'json' ? 'json' : 'text' };
}

function readTool({ function: tool }: Fields): Prompt['tools'] {
  if (!isObject(tool)) return [];
  return [{ name: String(tool.name), schema: tool.parameters ?? { type: 'object' } }];
}

function readReasoning(think: unknown): Reasoning {
  if (think === false) return { mode: 'off', maxTokens: 0 };
  return { mode: think === undefined || think === null ? 'default' : 'on', maxTokens: Infinity };
}
