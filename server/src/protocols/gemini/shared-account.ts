import {
  anything,
  choose,
  each,
  lazily,
  listOf,
  mapOf,
  object,
  type Shape,
  scalar,
  scalarOr,
} from '../caller-request/request-shape.ts';

export function either(fields: Readonly<Record<string, Shape>>): Shape {
  const spelled = Object.entries(fields).flatMap(([name, shape]) => [
    [name, shape] as const,
    [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), shape] as const,
  ]);
  return object(Object.fromEntries(spelled));
}

export function oneOrMany(shape: Shape): Shape {
  const many = listOf(shape);
  return choose(
    (value) => (Array.isArray(value) ? many : shape),
    () => [many],
  );
}

/** URL outside Google's hosts. At Google's own hosts, a file may be read with the permissions of the key. */
const foreignAddress: Shape = (value) => (typeof value === 'string' && isForeign(value) ? null : []);

function isForeign(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const host = url.hostname.replace(/\.$/, '');
  return host.includes('.') && !/(^|\.)(googleapis\.com|google\.com|goog)$/.test(host);
}

const media = {
  inlineData: either(each('mimeType data displayName')),
  fileData: either({ ...each('mimeType displayName'), fileUri: foreignAddress }),
};

const part = either({
  ...each('text thought thoughtSignature'),
  ...media,
  functionCall: either({ ...each('name id willContinue'), args: anything, partialArgs: anything }),
  functionResponse: either({
    ...each('name id willContinue scheduling'),
    response: anything,
    parts: oneOrMany(either(media)),
  }),
  executableCode: either(each('language code id')),
  codeExecutionResult: either(each('outcome output id')),
  toolCall: either({ ...each('id toolType'), args: anything }),
  toolResponse: either({ ...each('id toolType'), response: anything }),
  videoMetadata: either(each('startOffset endOffset fps')),
  mediaResolution: scalarOr(either(each('level numTokens'))),
});

const content = either({ ...each('role'), parts: oneOrMany(part) });

const functionDeclaration = either({
  ...each('name description behavior'),
  ...each('parameters parametersJsonSchema response responseJsonSchema', anything),
});

const empty = object({});

const tool = either({
  functionDeclarations: oneOrMany(functionDeclaration),
  googleSearch: either({
    timeRangeFilter: either(each('startTime endTime')),
    excludeDomains: listOf(scalar),
    searchTypes: either({ webSearch: empty, imageSearch: empty }),
  }),
  googleSearchRetrieval: either({ dynamicRetrievalConfig: either(each('mode dynamicThreshold')) }),
  enterpriseWebSearch: either({ excludeDomains: listOf(scalar) }),
  googleMaps: either(each('enableWidget')),
  codeExecution: empty,
  urlContext: empty,
  computerUse: either({ ...each('environment'), excludedPredefinedFunctions: listOf(scalar) }),
});

const toolConfig = either({
  ...each('includeServerSideToolInvocations'),
  functionCallingConfig: either({
    ...each('mode streamFunctionCallArguments'),
    allowedFunctionNames: oneOrMany(scalar),
  }),
  retrievalConfig: either({ ...each('languageCode'), latLng: object(each('latitude longitude')) }),
});

const voiceConfig: Shape = either({ prebuiltVoiceConfig: either(each('voiceName')) });

const generationConfig = either({
  ...each(`temperature topP topK candidateCount maxOutputTokens seed presencePenalty frequencyPenalty responseLogprobs
    logprobs responseMimeType mediaResolution audioTimestamp enableEnhancedCivicAnswers enableAffectiveDialog`),
  ...each('stopSequences responseModalities', oneOrMany(scalar)),
  ...each('responseSchema responseJsonSchema', anything),
  thinkingConfig: either(each('includeThoughts thinkingBudget thinkingLevel')),
  imageConfig: either(each('aspectRatio imageSize personGeneration')),
  speechConfig: either({
    ...each('languageCode'),
    voiceConfig,
    multiSpeakerVoiceConfig: either({
      speakerVoiceConfigs: listOf(either({ ...each('speaker'), voiceConfig: lazily(() => voiceConfig) })),
    }),
  }),
});

/** Fields allowed for an account that tenants share. Only content that is part of the request itself is allowed. */
export const sharedAccountRequest: Shape = either({
  ...each('model task_id format serviceTier store'),
  contents: oneOrMany(content),
  systemInstruction: scalarOr(content),
  tools: oneOrMany(tool),
  toolConfig,
  safetySettings: oneOrMany(either(each('category threshold method'))),
  generationConfig,
  labels: mapOf(scalar),
  metadata: mapOf(scalar),
});
