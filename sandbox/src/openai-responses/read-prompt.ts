import {
  type AnswerFormat,
  type Attachment,
  type Prompt,
  type ReceivedRequest,
  readTurns,
  type Turn,
} from '../generation/prompt.ts';
import { isObject, objectsIn } from '../request/checks.ts';
import { describeUrl } from '../request/data-url.ts';
import { chooseFunctions } from './tools.ts';

type Fields = Record<string, unknown>;

/** Converts a checked request to the prompt of its model. */
export function readPrompt(body: Fields, received: () => ReceivedRequest): Prompt {
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
