import {
  anyBoolean,
  anyObject,
  anyString,
  arrayOf,
  type Check,
  fields,
  isObject,
  matching,
  nullable,
  objectsIn,
  optional,
  taggedBy,
} from '../request/checks.ts';

type Fields = Record<string, unknown>;

export const toolName = matching(/^[a-zA-Z0-9_-]{1,64}$/, 'must consist of 1 to 64 letters, digits, _ and -');

const functionTool = fields({
  name: toolName,
  description: optional(nullable(anyString)),
  parameters: optional(nullable(anyObject)),
  strict: optional(nullable(anyBoolean)),
});
const customTool = fields({ name: anyString });

const hostedTools = [
  ...['web_search', 'web_search_2025_08_26', 'web_search_preview', 'web_search_preview_2025_03_11'],
  ...['file_search', 'computer', 'computer_use_preview', 'mcp', 'code_interpreter', 'image_generation'],
  ...['local_shell', 'shell', 'apply_patch', 'tool_search', 'programmatic_tool_calling'],
];
export const ofHostedTools = Object.fromEntries(hostedTools.map((name) => [name, anyObject]));

export const tool: Check = taggedBy('type', {
  function: functionTool,
  custom: customTool,
  namespace: fields({
    name: toolName,
    description: anyString,
    tools: arrayOf(taggedBy('type', { function: functionTool, custom: customTool }), 1),
  }),
  ...ofHostedTools,
});

export interface OfferedFunction {
  readonly name: string;
  readonly namespace?: string;
  readonly schema: unknown;
}

/** Includes functions in namespaces and functions added by input items. */
export function listFunctions({ tools, input }: Fields): OfferedFunction[] {
  const brought = objectsIn(input).flatMap(({ type, tools: more }) =>
    type === 'additional_tools' || type === 'tool_search_output' ? objectsIn(more) : [],
  );
  return [...objectsIn(tools), ...brought].flatMap((offered) => {
    if (offered.type !== 'namespace') return readFunction(offered);
    const namespace = String(offered.name);
    return objectsIn(offered.tools).flatMap((own) => readFunction(own, namespace));
  });
}

function readFunction({ type, name, parameters }: Fields, namespace?: string): OfferedFunction[] {
  if (type !== 'function') return [];
  const schema = parameters ?? { type: 'object' };
  return [{ name: String(name), schema, ...(namespace !== undefined && { namespace }) }];
}

export function chooseFunctions(body: Fields): OfferedFunction[] {
  const { tool_choice: choice } = body;
  const offered = listFunctions(body);
  if (choice === 'none') return [];
  if (!isObject(choice)) return offered;
  const allowed = choice.type === 'allowed_tools' ? objectsIn(choice.tools) : [choice];
  return offered.filter((one) =>
    allowed.some(
      ({ name, namespace }) => name === one.name && (namespace === undefined || namespace === one.namespace),
    ),
  );
}
