import type { CanonicalRequest, Tool, ToolChoice } from '../canonical/request.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { fitSchema, isEmptyObject, readSchema } from './schema.ts';
import type { GenerateContentRequest } from './wire.ts';

export interface DecodedTools {
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
}

/** `noteLeftOut` is called for each tool that Google would run itself. */
export function decodeTools(
  { tools, toolConfig }: GenerateContentRequest,
  noteLeftOut: (name: string) => void,
): DecodedTools {
  const choice = toolConfig?.functionCallingConfig;
  const mode = choice?.mode?.toUpperCase();
  const allowed = new Set(choice?.allowedFunctionNames);
  const declared = (tools ?? []).flatMap(({ functionDeclarations, ...builtIn }) => {
    for (const [name, value] of Object.entries(builtIn)) if (value != null) noteLeftOut(`tools.${name}`);
    return (functionDeclarations ?? []).map((declaration) =>
      decodeFunction(declaration, mode === 'VALIDATED'),
    );
  });
  // The canonical tool choice has no list of allowed functions, so only the allowed functions are declared.
  const offered = allowed.size === 0 ? declared : declared.filter(({ name }) => allowed.has(name));
  const toolChoice = decodeChoice(mode, allowed);
  if (toolChoice?.kind === 'required' && tools?.length && declared.length === 0)
    throw new UntranslatableError(
      'A tool call is required, but Google runs all of the tools, and this model belongs to another provider.',
      'toolConfig.functionCallingConfig.mode',
    );
  return { tools: offered, ...(toolChoice && { toolChoice }) };
}

type FunctionDeclaration = NonNullable<
  NonNullable<GenerateContentRequest['tools']>[number]['functionDeclarations']
>[number];

function decodeFunction(
  { name, description, parameters, parametersJsonSchema }: FunctionDeclaration,
  isValidated: boolean,
): Tool {
  return {
    name,
    ...(description && { description }),
    parameters: {
      properties: {},
      ...(parametersJsonSchema ?? readSchema(parameters ?? {})),
      type: 'object',
    },
    ...(isValidated && { isStrict: true }),
  };
}

function decodeChoice(mode: string | undefined, allowed: ReadonlySet<string>): ToolChoice | undefined {
  const [only, ...others] = allowed;
  switch (mode) {
    case 'AUTO':
    case 'VALIDATED':
      return { kind: 'auto' };
    case 'NONE':
      return { kind: 'none' };
    case 'ANY':
      return only !== undefined && others.length === 0 ? { kind: 'tool', name: only } : { kind: 'required' };
    case undefined:
    case 'MODE_UNSPECIFIED':
      return undefined;
  }
  const param = 'toolConfig.functionCallingConfig.mode';
  throw new UntranslatableError(
    `Invalid value for '${param}': '${mode}' is not a function calling mode.`,
    param,
  );
}

export function encodeTools({ tools, toolChoice }: CanonicalRequest): object {
  if (tools.length === 0) return {};
  return {
    tools: [{ functionDeclarations: tools.map(encodeTool) }],
    ...(toolChoice && { toolConfig: { functionCallingConfig: encodeChoice(toolChoice) } }),
  };
}

function encodeTool({ name, description, parameters }: Tool): object {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(!isEmptyObject(parameters) && { parametersJsonSchema: fitSchema(parameters) }),
  };
}

function encodeChoice(choice: ToolChoice): object {
  switch (choice.kind) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  }
}
