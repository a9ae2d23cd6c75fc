import { anything, each, type Shape, scalarOr } from '../caller-request/request-shape.ts';
import { either, oneOrMany } from './shared-account.ts';

const whole = (names: string) => each(names, anything);

const media = {
  inlineData: either(each('mimeType data displayName')),
  fileData: either(each('mimeType fileUri displayName')),
};

const part = either({
  ...each('text thought thoughtSignature'),
  ...media,
  functionCall: either({ ...each('name id'), ...whole('args') }),
  functionResponse: either({ ...each('name id'), ...whole('response'), parts: oneOrMany(either(media)) }),
  // Parts of Google's own tools, which `model-parts.ts` reports.
  ...whole('executableCode codeExecutionResult toolCall toolResponse'),
});

const content = either({ ...each('role'), parts: oneOrMany(part) });

/** Fields that `request-decoder.ts` translates, acts on or rejects. All other fields are reported as warnings. */
export const translatedFields: Shape = either({
  ...each('model cachedContent task_id format'),
  contents: oneOrMany(content),
  systemInstruction: scalarOr(content),
  tools: oneOrMany(
    either({
      functionDeclarations: oneOrMany(
        either({ ...each('name description'), ...whole('parameters parametersJsonSchema') }),
      ),
    }),
  ),
  toolConfig: either({
    functionCallingConfig: either({ ...each('mode'), ...whole('allowedFunctionNames') }),
  }),
  generationConfig: either({
    ...each(`temperature topP topK candidateCount maxOutputTokens seed presencePenalty frequencyPenalty responseLogprobs
      logprobs responseMimeType`),
    ...whole('stopSequences responseSchema responseJsonSchema responseModalities'),
    thinkingConfig: either(each('includeThoughts thinkingBudget thinkingLevel')),
  }),
  metadata: either(each('task_id')),
});
