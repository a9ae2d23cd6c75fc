import type { Tool } from '../canonical/request.ts';
import { UntranslatableError } from './untranslatable.ts';

/** Encodes a tool in OpenAI's format, which many protocols have adopted. */
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
  throw new UntranslatableError(`There is no tool '${name}' among the tools.`, 'tool_choice');
}
