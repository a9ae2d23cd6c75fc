import { isObject } from '#json/json-value.ts';
import type { Tool } from '../canonical/request.ts';
import { UntranslatableError } from './untranslatable.ts';

// A custom tool accepts free text. Other protocols only support objects, so the tool becomes a function with one
// argument.

const field = 'input';

/** Encodes free text as the JSON arguments of a function, piece by piece. */
export const freeformInput = {
  opening: `{"${field}":"`,
  escape: (text: string) => JSON.stringify(text).slice(1, -1),
  closing: '"}',
};

export function wrapInput(text: string): string {
  return JSON.stringify({ [field]: text });
}

/** Returns the text in a call's arguments, or all arguments if the model did not use the single argument. */
export function unwrapInput(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    const input: unknown = isObject(value) ? Reflect.get(value, field) : null;
    return typeof input === 'string' ? input : json;
  } catch {
    return json;
  }
}

/** Required syntax of the text. Only OpenAI enforces the syntax; for other models, it is part of the description. */
export interface Grammar {
  readonly syntax?: string | null | undefined;
  readonly definition: string;
}

export function toFreeformTool(
  name: string,
  description: string | null | undefined,
  grammar: Grammar | undefined,
): Tool {
  const demand =
    grammar && `The input must conform to this ${grammar.syntax ?? ''} grammar:\n${grammar.definition}`;
  const told = [description, demand].filter(Boolean).join('\n\n');
  return {
    name,
    isFreeform: true,
    ...(told !== '' && { description: told }),
    parameters: {
      type: 'object',
      properties: { [field]: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
      required: [field],
      additionalProperties: false,
    },
  };
}

export function encodeFunctionTool({ name, description, parameters }: Tool, extras: object = {}): object {
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters, ...extras },
  };
}

/** Returns only the chosen tool, for providers that can require a tool call but not a specific tool. */
export function pickTool(tools: readonly Tool[], name: string): readonly Tool[] {
  const picked = tools.filter((tool) => tool.name === name);
  if (picked.length > 0) return picked;
  throw new UntranslatableError(`The tool '${name}' is not in the list of tools.`, 'tool_choice');
}
