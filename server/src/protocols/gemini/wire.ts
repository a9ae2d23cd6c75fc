import { z } from 'zod';
import { anyObject } from '#json/json-value.ts';
import { ownFields } from '../caller-request/caller-body.ts';
import { atLeastOne, inEitherSpelling, oneOrMany } from './spelling.ts';

const displayName = z.string().nullish();
const inlineData = inEitherSpelling({ mimeType: z.string().nullish(), data: z.string(), displayName });
const fileData = inEitherSpelling({ mimeType: z.string().nullish(), fileUri: z.string(), displayName });

export type InlineData = z.infer<typeof inlineData>;
export type FileData = z.infer<typeof fileData>;

const resultPart = inEitherSpelling({ inlineData: inlineData.nullish(), fileData: fileData.nullish() });

const functionResponse = inEitherSpelling({
  name: z.string(),
  id: z.string().nullish(),
  response: anyObject.nullish(),
  parts: oneOrMany(resultPart),
});

export type FunctionResponse = z.infer<typeof functionResponse>;

/** A part has one of the content fields, and metadata next to it. */
const part = inEitherSpelling({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  inlineData: inlineData.nullish(),
  fileData: fileData.nullish(),
  functionCall: inEitherSpelling({
    name: z.string(),
    id: z.string().nullish(),
    args: anyObject.nullish(),
  }).nullish(),
  functionResponse: functionResponse.nullish(),
});

export type Part = z.infer<typeof part>;

const content = inEitherSpelling({ role: z.string().nullish(), parts: oneOrMany(part) });

export type Content = z.infer<typeof content>;

const functionDeclaration = inEitherSpelling({
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: anyObject.nullish(),
  parametersJsonSchema: anyObject.nullish(),
});

/** A tool has either the caller's functions or one that Google runs itself. */
const tool = inEitherSpelling({ functionDeclarations: oneOrMany(functionDeclaration) });

const toolConfig = inEitherSpelling({
  functionCallingConfig: inEitherSpelling({
    mode: z.string().nullish(),
    allowedFunctionNames: oneOrMany(z.string()),
  }).nullish(),
});

const thinkingConfig = inEitherSpelling({
  includeThoughts: z.boolean().nullish(),
  thinkingBudget: z.number().int().min(-1).nullish(),
  thinkingLevel: z.string().nullish(),
});

export type ThinkingConfig = z.infer<typeof thinkingConfig>;

const generationConfigFields = {
  temperature: z.number().min(0).max(2).nullish(),
  topP: z.number().min(0).max(1).nullish(),
  topK: z.number().min(0).nullish(),
  candidateCount: z.number().int().min(1).max(8).nullish(),
  maxOutputTokens: z.number().int().min(1).nullish(),
  stopSequences: oneOrMany(z.string()),
  seed: z.number().int().nullish(),
  presencePenalty: z.number().min(-2).max(2).nullish(),
  frequencyPenalty: z.number().min(-2).max(2).nullish(),
  responseLogprobs: z.boolean().nullish(),
  logprobs: z.number().int().min(0).max(20).nullish(),
  responseMimeType: z.string().nullish(),
  responseSchema: anyObject.nullish(),
  responseJsonSchema: anyObject.nullish(),
  responseModalities: oneOrMany(z.union([z.string(), z.number()])),
  thinkingConfig: thinkingConfig.nullish(),
};

const generationConfig = inEitherSpelling(generationConfigFields);

export type GenerationConfig = z.infer<typeof generationConfig>;

/** Request body, as far as the gateway reads or validates it. The model is part of the URL. */
export const generateContentRequest = inEitherSpelling({
  ...ownFields,
  format: z.enum(['minimal', 'gemini']).nullish(),
  model: z.string().nullish(),
  contents: atLeastOne(content),
  systemInstruction: content.nullish(),
  tools: oneOrMany(tool),
  toolConfig: toolConfig.nullish(),
  generationConfig: generationConfig.nullish(),
  cachedContent: z.string().nullish(),
});

export type GenerateContentRequest = z.infer<typeof generateContentRequest>;

/** There is no schema, because a stream contains thousands of parts. Fields are checked before use. */
export interface AnswerPart {
  readonly text?: unknown;
  readonly thought?: unknown;
  readonly thoughtSignature?: unknown;
  readonly functionCall?: unknown;
  readonly inlineData?: unknown;
  readonly fileData?: unknown;
}

export interface AnswerCall {
  readonly name?: unknown;
  readonly id?: unknown;
  readonly args?: unknown;
  /** Pieces of the arguments, if the caller requested them. The last piece has no `willContinue`. */
  readonly partialArgs?: unknown;
  readonly willContinue?: unknown;
}

export interface AnswerCandidate {
  readonly index?: unknown;
  readonly content?: { readonly parts?: unknown } | null;
  readonly finishReason?: unknown;
  readonly finishMessage?: unknown;
}

export interface Answer {
  readonly candidates?: unknown;
  readonly promptFeedback?: { readonly blockReason?: unknown; readonly blockReasonMessage?: unknown } | null;
  readonly usageMetadata?: unknown;
  readonly modelVersion?: unknown;
  readonly responseId?: unknown;
  readonly createTime?: unknown;
  readonly error?: unknown;
}

export const error = z.looseObject({
  code: z.number().nullish().catch(null),
  message: z.string(),
  status: z.string().nullish().catch(null),
  details: z
    .array(
      z.looseObject({
        reason: z.string().nullish().catch(null),
        retryDelay: z.string().nullish().catch(null),
        fieldViolations: z
          .array(z.looseObject({ field: z.string().nullish() }))
          .nullish()
          .catch(null),
      }),
    )
    .nullish()
    .catch(null),
});

export type WireError = z.infer<typeof error>;

export const errorBody = z.looseObject({ error });

export const embeddings = z.looseObject({
  embeddings: z.array(z.looseObject({ values: z.array(z.number()) })),
  usageMetadata: z.unknown().optional(),
});
