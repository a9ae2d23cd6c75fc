import type { AnswerFormat, Prompt, ReceivedRequest, Tool } from '../generation/prompt.ts';
import { countTokens } from '../generation/tokens.ts';
import { isObject } from './checks.ts';
import { textOfContent } from './messages.ts';

type Fields = Record<string, unknown>;

/** What a checked request asks of its model. */
export function readPrompt(body: Fields, received: () => ReceivedRequest): Prompt {
  const messages = objectsIn(body.messages);
  let promptTokens = 0;
  let lastUserText = '';
  for (const { role, content } of messages) {
    const text = textOfContent(content);
    promptTokens += countTokens(text);
    if (role === 'user') lastUserText = text;
  }
  return {
    promptTokens,
    lastUserText,
    choiceCount: Number(body.n ?? 1),
    maxTokens: Number(body.max_completion_tokens ?? body.max_tokens ?? Infinity),
    stopSequences: [body.stop ?? []].flat().map(String).filter(Boolean),
    format: readFormat(body.response_format),
    tool: messages.at(-1)?.role === 'tool' ? null : readTool(body),
    received,
  };
}

function readFormat(format: unknown): AnswerFormat {
  if (!isObject(format) || format.type === 'text') return { kind: 'text' };
  if (!isObject(format.json_schema)) return { kind: 'json' };
  return { kind: 'schema', schema: format.json_schema.schema };
}

/** The function that the choice names, else the first one. */
function readTool({ tools, tool_choice: choice }: Fields): Tool | null {
  if (choice === 'none') return null;
  const functions = objectsIn(tools)
    .map((tool) => tool.function)
    .filter(isObject);
  const named = isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;
  const chosen = named === undefined ? functions[0] : functions.find(({ name }) => name === named);
  return chosen ? { name: String(chosen.name), schema: chosen.parameters ?? { type: 'object' } } : null;
}

function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
