import type { Tool } from '../canonical/request.ts';
import { isObject } from '../json/json-value.ts';

// A custom tool is called with a text, where other protocols know objects only: there it is a function with one argument.

const field = 'input';

/** How the text that a custom tool is called with is written as a function's arguments, piece by piece. */
export const freeformInput = {
  opening: `{"${field}":"`,
  escape: (text: string) => JSON.stringify(text).slice(1, -1),
  closing: '"}',
};

export function wrapInput(text: string): string {
  return JSON.stringify({ [field]: text });
}

/** The text in a call's arguments; all of them where a model has not kept to the one argument. */
export function unwrapInput(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    const input: unknown = isObject(value) ? Reflect.get(value, field) : null;
    return typeof input === 'string' ? input : json;
  } catch {
    return json;
  }
}

/** What the text must be. Only OpenAI makes a model keep to it; others can only be told of it. */
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
