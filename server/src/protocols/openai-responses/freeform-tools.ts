import type { RepeatedFields, Tool } from '../canonical/request.ts';
import { isObject, readText } from '../json-value.ts';

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

/** `grammar` is what the text must be, in the terms of a language that only OpenAI enforces. */
export function describeFreeformTool(name: string, description: string, grammar: string): Tool {
  const told = [description, grammar].filter((text) => text !== '').join('\n\n');
  return {
    name,
    ...(told !== '' && { description: told }),
    parameters: {
      type: 'object',
      properties: { [field]: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
      required: [field],
      additionalProperties: false,
    },
  };
}

/** The names of a request's custom tools, whose calls its caller expects as such. */
export function listFreeformTools(fields: RepeatedFields | undefined): ReadonlySet<string> {
  const tools: readonly unknown[] = Array.isArray(fields?.tools) ? fields.tools : [];
  const custom = tools.filter(
    (tool): tool is { name?: unknown } => isObject(tool) && 'type' in tool && tool.type === 'custom',
  );
  return new Set(custom.map(({ name }) => readText(name)));
}
