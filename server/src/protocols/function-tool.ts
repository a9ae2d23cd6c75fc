import type { Tool } from './canonical/request.ts';

/** A tool as all describe it who took over OpenAI's shape of one (protocol note T1). */
export function encodeFunctionTool({ name, description, parameters }: Tool, extras: object = {}): object {
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters, ...extras },
  };
}
