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
import { textOfContent } from './messages.ts';

type Fields = Record<string, unknown>;

/** Converts a checked request to the prompt of its model. */
export function readPrompt(body: Fields, received: () => ReceivedRequest): Prompt {
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

/** Returns the function named by the tool choice, or all functions. */
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
