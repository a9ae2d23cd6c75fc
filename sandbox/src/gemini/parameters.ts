import {
  anyBoolean,
  anyObject,
  anyString,
  arrayOf,
  type Check,
  exactly,
  integerWithin,
  isObject,
  mapOf,
  matching,
  numberWithin,
  oneOf,
  optional,
  stringOr,
} from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';

const anyValue: Check = () => undefined;
// Counts are 64-bit integers, which JSON may represent as strings.
const count = stringOr(numberWithin(0, Infinity));
const number = numberWithin(-Infinity, Infinity);
const deeper: Check = (value, path) => schema(value, path);

const keywords: Record<string, Check> = {
  type: matching(/^(string|number|integer|boolean|array|object|null|type_unspecified)$/i, 'unknown type'),
  format: anyString,
  title: anyString,
  description: anyString,
  nullable: anyBoolean,
  enum: arrayOf(anyString),
  ...{ minItems: count, maxItems: count, minProperties: count, maxProperties: count },
  ...{ minLength: count, maxLength: count, minimum: number, maximum: number },
  properties: mapOf(deeper),
  required: arrayOf(anyString),
  pattern: anyString,
  example: anyValue,
  anyOf: arrayOf(deeper),
  propertyOrdering: arrayOf(anyString),
  default: anyValue,
  items: deeper,
};

/** Subset of OpenAPI schemas that Google accepts as `parameters` and `responseSchema`. */
const schema: Check = (value, path) => {
  if (!isObject(value)) throw invalidRequest('invalid_type', path, 'expected a schema');
  for (const [name, inner] of Object.entries(value)) {
    const check = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
    if (!check) throw invalidRequest('unknown_parameter', `${path}.${name}`, 'unknown keyword');
    check(inner, `${path}.${name}`);
  }
  const type = String(value.type).toUpperCase();
  if (type === 'ARRAY' && !value.items) throw invalidRequest(null, `${path}.items`, 'missing field');
  if (Array.isArray(value.enum) && type !== 'STRING')
    throw invalidRequest(null, `${path}.enum`, 'only allowed for STRING type');
};

const id = optional(anyString);
const name = matching(/./, 'Name cannot be empty.');

const dataFields: Record<string, Check> = {
  text: anyString,
  inlineData: exactly({
    mimeType: matching(/^[\w.+-]+\/[\w.+-]+/, 'expected a media type'),
    data: matching(/^[\w+/-]+=*$/, 'Base64 decoding failed'),
    displayName: id,
  }),
  fileData: exactly({
    mimeType: id,
    displayName: id,
    fileUri: matching(
      /^(https:\/\/(generativelanguage\.googleapis\.com|([a-z]+\.)?youtube\.com|youtu\.be)\/|gs:\/\/)/,
      'Cannot fetch content from the provided URL.',
    ),
  }),
  functionCall: exactly({ id, name, args: optional(anyObject) }),
  functionResponse: exactly({
    id,
    name,
    response: anyObject,
    parts: optional(arrayOf(anyObject)),
    willContinue: optional(anyBoolean),
    scheduling: optional(anyString),
  }),
  executableCode: anyObject,
  codeExecutionResult: anyObject,
  toolCall: anyObject,
  toolResponse: anyObject,
};

const partFields = {
  ...Object.fromEntries(Object.entries(dataFields).map(([field, check]) => [field, optional(check)])),
  thought: optional(anyBoolean),
  thoughtSignature: optional(anyString),
  videoMetadata: optional(anyObject),
  partMetadata: optional(anyObject),
  mediaResolution: optional(anyObject),
};

const part: Check = (value, path) => {
  exactly(partFields)(value, path);
  const given = Object.keys(Object(value)).filter((field) => Object.hasOwn(dataFields, field));
  if (given.length > 1) throw invalidRequest(null, path, `oneof field 'data' is already set: ${given[1]}`);
  const isSigned = isObject(value) && value.thoughtSignature !== undefined;
  if (given.length === 0 && !isSigned)
    throw invalidRequest(null, `${path}.data`, "required oneof field 'data' must have one initialized field");
};

const content = exactly({
  role: optional(oneOf('user', 'model', 'function')),
  parts: arrayOf(part, 1),
});

/** Instructions contain only text, in any role. */
const instruction = exactly({ role: optional(anyString), parts: arrayOf(part, 1) });

const generationConfig = exactly({
  stopSequences: optional(arrayOf(matching(/./s, 'a stop sequence cannot be empty'), 0, 5)),
  responseMimeType: optional(oneOf('text/plain', 'application/json', 'text/x.enum')),
  responseSchema: optional(schema),
  responseJsonSchema: optional(anyValue),
  responseModalities: optional(arrayOf(matching(/^(text|image|audio)$/i, 'unknown modality'))),
  candidateCount: optional(integerWithin(1, 8)),
  maxOutputTokens: optional(integerWithin(1)),
  temperature: optional(numberWithin(0, 2)),
  topP: optional(numberWithin(0, 1)),
  topK: optional(integerWithin(1)),
  seed: optional(integerWithin(-(2 ** 31), 2 ** 31 - 1)),
  presencePenalty: optional(numberWithin(-2, 2)),
  frequencyPenalty: optional(numberWithin(-2, 2)),
  responseLogprobs: optional(anyBoolean),
  logprobs: optional(integerWithin(0, 20)),
  enableEnhancedCivicAnswers: optional(anyBoolean),
  speechConfig: optional(anyObject),
  imageConfig: optional(anyObject),
  mediaResolution: optional(anyString),
  thinkingConfig: optional(
    exactly({
      includeThoughts: optional(anyBoolean),
      thinkingBudget: optional(integerWithin(-1, 32_768)),
      thinkingLevel: optional(matching(/^(minimal|low|medium|high)$/i, 'unknown level')),
    }),
  ),
});

const functionDeclaration = exactly({
  name: matching(/^[a-zA-Z_][\w.:-]{0,63}$/, 'Invalid function name.'),
  description: optional(anyString),
  behavior: optional(anyString),
  parameters: optional(schema),
  parametersJsonSchema: optional(anyValue),
  response: optional(schema),
  responseJsonSchema: optional(anyValue),
});

const hostedTools = [
  ...['googleSearch', 'googleSearchRetrieval', 'codeExecution', 'urlContext'],
  ...['fileSearch', 'computerUse', 'googleMaps', 'mcpServers'],
];

const tool = exactly({
  functionDeclarations: optional(arrayOf(functionDeclaration)),
  ...Object.fromEntries(hostedTools.map((name) => [name, optional(anyValue)])),
});

const toolConfig = exactly({
  functionCallingConfig: optional(
    exactly({
      mode: optional(matching(/^(mode_unspecified|auto|any|none|validated)$/i, 'unknown mode')),
      allowedFunctionNames: optional(arrayOf(anyString)),
    }),
  ),
  retrievalConfig: optional(anyObject),
  includeServerSideToolInvocations: optional(anyBoolean),
});

/** All request fields of the Gemini Developer API, which rejects unknown fields. */
export const generateParameters: Record<string, Check> = {
  model: anyString,
  contents: arrayOf(content, 1),
  systemInstruction: instruction,
  tools: arrayOf(tool),
  toolConfig,
  safetySettings: arrayOf(anyObject),
  generationConfig,
  cachedContent: anyString,
  serviceTier: anyString,
  store: anyBoolean,
};

export const countParameters: Record<string, Check> = {
  contents: arrayOf(content, 1),
  generateContentRequest: anyObject,
};

export const embedParameters: Record<string, Check> = {
  model: anyString,
  content: exactly({ role: optional(anyString), parts: arrayOf(exactly({ text: anyString }), 1) }),
  taskType: anyString,
  title: anyString,
  outputDimensionality: integerWithin(1),
};
