import type { CanonicalRequest, ResponseFormat, Tool } from '../canonical/request.ts';
import { describeSchema } from '../translation/described-schema.ts';
import { encodeFunctionTool, pickTool } from '../translation/function-tool.ts';

/**
 * Returns the tool fields. Cohere cannot force a specific tool, so only that tool is sent. `warn` is called for each
 * setting that Cohere does not support.
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

// `strict_tools` applies to all tools, and each needs at least one required parameter.
function canBeStrict({ isStrict, parameters: { required } }: Tool): boolean {
  return isStrict === true && Array.isArray(required) && required.length > 0;
}

function encodeToolChoice(choice: CanonicalRequest['toolChoice']): object {
  if (choice === undefined || choice.kind === 'auto') return {};
  return { tool_choice: choice.kind === 'none' ? 'NONE' : 'REQUIRED' };
}

/** Cohere always enforces the schema, so there is no field for `isStrict`. */
export function encodeResponseFormat(format: ResponseFormat): object {
  return {
    type: 'json_object',
    ...(format.kind === 'json-schema' && { json_schema: describeSchema(format) }),
  };
}
