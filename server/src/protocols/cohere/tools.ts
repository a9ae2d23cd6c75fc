import type { CanonicalRequest, ResponseFormat, Tool } from '../canonical/request.ts';
import { encodeFunctionTool, pickTool } from '../translation/function-tool.ts';

/**
 * The fields about tools. Cohere cannot be told which tool to call, so that one is offered alone.
 * `warn` hears of what it cannot be told at all.
 */
export function encodeTools(request: CanonicalRequest, warn: (name: string) => void): object {
  const { tools, toolChoice, isParallelToolUse } = request;
  if (tools.length === 0) return {};
  if (isParallelToolUse === false) warn('parallel_tool_calls');
  const offered = toolChoice?.kind === 'tool' ? pickTool(tools, toolChoice.name) : tools;
  const isStrict = offered.every(canBeStrict);
  if (!isStrict && offered.some((tool) => tool.isStrict)) warn('strict');
  return {
    tools: offered.map((tool) => encodeFunctionTool(tool)),
    ...(isStrict && { strict_tools: true }),
    ...encodeToolChoice(toolChoice),
  };
}

// It is all tools or none, and none may be without a required parameter.
function canBeStrict({ isStrict, parameters: { required } }: Tool): boolean {
  return isStrict === true && Array.isArray(required) && required.length > 0;
}

function encodeToolChoice(choice: CanonicalRequest['toolChoice']): object {
  if (choice === undefined || choice.kind === 'auto') return {};
  return { tool_choice: choice.kind === 'none' ? 'NONE' : 'REQUIRED' };
}

/** The schema is always enforced, so there is nothing to say of strictness. */
export function encodeResponseFormat(format: ResponseFormat): object {
  return { type: 'json_object', ...(format.kind === 'json-schema' && { json_schema: format.schema }) };
}
