import {
  anyBoolean,
  anyObject,
  anyString,
  arrayOf,
  type Check,
  exactly,
  integerWithin,
  matching,
  numberWithin,
  oneOf,
  optional,
} from '../request/checks.ts';
import { content, instruction } from './contents.ts';
import { schema } from './schema.ts';

const anything: Check = () => undefined;

const generationConfig = exactly({
  stopSequences: optional(arrayOf(matching(/./s, 'a stop sequence cannot be empty'), 0, 5)),
  responseMimeType: optional(oneOf('text/plain', 'application/json', 'text/x.enum')),
  responseSchema: optional(schema),
  responseJsonSchema: optional(anything),
  responseModalities: optional(arrayOf(matching(/^(text|image|audio)$/i, 'there is no such modality'))),
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
      thinkingLevel: optional(matching(/^(minimal|low|medium|high)$/i, 'there is no such level')),
    }),
  ),
});

const functionDeclaration = exactly({
  name: matching(/^[a-zA-Z_][\w.:-]{0,63}$/, 'Invalid function name.'),
  description: optional(anyString),
  behavior: optional(anyString),
  parameters: optional(schema),
  parametersJsonSchema: optional(anything),
  response: optional(schema),
  responseJsonSchema: optional(anything),
});

const hostedTools = [
  ...['googleSearch', 'googleSearchRetrieval', 'codeExecution', 'urlContext'],
  ...['fileSearch', 'computerUse', 'googleMaps', 'mcpServers'],
];

const tool = exactly({
  functionDeclarations: optional(arrayOf(functionDeclaration)),
  ...Object.fromEntries(hostedTools.map((name) => [name, optional(anything)])),
});

const toolConfig = exactly({
  functionCallingConfig: optional(
    exactly({
      mode: optional(matching(/^(mode_unspecified|auto|any|none|validated)$/i, 'there is no such mode')),
      allowedFunctionNames: optional(arrayOf(anyString)),
    }),
  ),
  retrievalConfig: optional(anyObject),
  includeServerSideToolInvocations: optional(anyBoolean),
});

/** All request fields of the Gemini Developer API, which rejects all others. */
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
