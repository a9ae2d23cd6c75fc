import type { Tool } from '../canonical/request.ts';
import { UntranslatableError } from './untranslatable.ts';

/** A tool as all describe it who took over OpenAI's shape of one. */
export function encodeFunctionTool({ name, description, parameters }: Tool, extras: object = {}): object {
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters, ...extras },
  };
}

/** The tool that a choice names, alone, for those who can only be told to call some tool. */
export function pickTool(tools: readonly Tool[], name: string): readonly Tool[] {
  const picked = tools.filter((tool) => tool.name === name);
  if (picked.length > 0) return picked;
  throw new UntranslatableError(`There is no tool '${name}' among the tools.`, 'tool_choice');
}
