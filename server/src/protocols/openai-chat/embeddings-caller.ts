import { type EmbeddingsRequest as Body, embeddingsRequest } from '@sluice/contract';
import { z } from 'zod';
import { embeddingInputsMax, embeddingsLimits } from '#json/body-limits.ts';
import { listFieldNames } from '#json/field-names.ts';
import type { Steps } from '#platform/steps.ts';
import {
  type BodyForm,
  type CallerBody,
  editBody,
  listOwnFieldEdits,
  ownFields,
  readCallerBody,
  readTaskId,
} from '../caller-request/caller-body.ts';
import { findPaidExtra } from '../caller-request/priced-by-tokens.ts';
import { readPrompt } from '../caller-request/prompt.ts';
import { findPlace } from '../caller-request/request-places.ts';
import { anything, each, findUnlisted, listUnlisted, object } from '../caller-request/request-shape.ts';
import type {
  EmbeddingInput,
  EmbeddingPurpose,
  EmbeddingsCall,
  EmbeddingsRequest,
  EmbeddingsResponse,
  ParsedEmbeddings,
} from '../canonical/embeddings.ts';
import { sharedAccountEmbeddings } from './shared-account.ts';

// Replaces the contract's schema, which tries each form of input in turn and reports every element that does not
// match.
const input = z.custom<Body['input']>(isInput, {
  error: `must be a text, a list of up to ${embeddingInputsMax} texts, or the same in tokens`,
});
const requestSchema = embeddingsRequest.extend({ ...ownFields, input });
export const embeddingsForm: BodyForm<z.infer<typeof requestSchema>> = {
  schema: requestSchema,
  names: listFieldNames([requestSchema]),
  limits: embeddingsLimits,
};

function isInput(value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (!Array.isArray(value) || value.length === 0) return false;
  if (value.every(isToken)) return true;
  if (value.length > embeddingInputsMax) return false;
  if (typeof value[0] === 'string') return value.every((text) => typeof text === 'string');
  return value.every((tokens) => Array.isArray(tokens) && tokens.length > 0 && tokens.every(isToken));
}

function isToken(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Reads an embeddings request and keeps the original bytes, so that a provider with the same protocol receives them
 * unchanged.
 */
export function* readEmbeddings(bytes: Buffer): Steps<ParsedEmbeddings> {
  const parsed = yield* readCallerBody(bytes, embeddingsForm);
  return parsed.ok ? { ok: true, request: toEmbeddingsCall(parsed.body) } : parsed;
}

function toEmbeddingsCall(body: CallerBody<Body>): EmbeddingsCall {
  const { fields } = body;
  const isBase64 = fields.encoding_format === 'base64';
  return {
    protocol: 'openai-chat',
    operation: 'embeddings',
    model: fields.model,
    isStream: false,
    taskId: readTaskId(fields),
    prompt: null,
    judged: null,
    isFollowUp: false,
    listNewTexts: () => [],
    output: { tokensMax: 0, thinkingTokens: 0, answers: 1 },
    findUnlistedField: () => findUnlisted(body.value, sharedAccountEmbeddings),
    findPaidExtra: () => findPaidExtra(body, 'embeddings'),
    findPlace: (isFound) => findPlace(body.value, 'embeddings', isFound),
    encodeFor(model) {
      const edits = listOwnFieldEdits(body);
      if (model !== fields.model) edits.set('model', JSON.stringify(model));
      return editBody(body, edits);
    },
    readPrompt: () => readPrompt(body, 'embeddings'),
    toCanonical: () => decodeRequest(fields),
    encodeResponse: (response) => encodeResponse(response, fields.model, isBase64),
    readAnswer: (answer) => readAnswer(answer, isBase64),
  };
}

/** Fields that `decodeRequest` translates or acts on. All other fields are reported as warnings. */
export const translatedEmbeddings = object({
  ...each('model dimensions user encoding_format input_type truncate task_id format'),
  ...each('input', anything),
  metadata: object(each('task_id')),
});

/** Names for the purposes of vectors at Cohere, Voyage, NVIDIA and Jina. */
const purposes = new Map<unknown, EmbeddingPurpose>([
  ...(['search_query', 'query', 'retrieval.query'] as const).map((word) => [word, 'query'] as const),
  ...(['search_document', 'document', 'passage', 'retrieval.passage'] as const).map(
    (word) => [word, 'document'] as const,
  ),
  ['classification', 'classification'],
  ['clustering', 'clustering'],
  ['similarity', 'similarity'],
  ['semantic_similarity', 'similarity'],
]);

function decodeRequest(fields: Body): EmbeddingsRequest {
  const { input_type: inputType, truncate } = fields;
  const purpose = purposes.get(typeof inputType === 'string' ? inputType.toLowerCase() : inputType);
  const truncation = readTruncation(truncate);
  const extensions = listUnlisted(fields, translatedEmbeddings);
  if (inputType != null && !purpose) extensions.push('input_type');
  if (truncate != null && !truncation) extensions.push('truncate');
  return {
    inputs: listInputs(fields.input),
    ...(fields.dimensions != null && { dimensions: fields.dimensions }),
    ...(fields.user != null && { endUser: fields.user }),
    ...(purpose && { purpose }),
    ...(truncation && { truncation }),
    ...(extensions.length > 0 && { extensions }),
  };
}

function readTruncation(truncate: unknown): EmbeddingsRequest['truncation'] {
  if (typeof truncate === 'boolean') return truncate ? 'end' : 'none';
  return (['none', 'start', 'end'] as const).find((word) => word.toUpperCase() === truncate);
}

// A list of numbers is one input, given as tokens.
function listInputs(input: Body['input']): EmbeddingInput[] {
  if (typeof input === 'string') return [input];
  return isTokens(input) ? [input] : input;
}

function isTokens(input: Exclude<Body['input'], string>): input is number[] {
  return typeof input[0] === 'number';
}

function encodeResponse(
  { vectors, model, inputTokens }: EmbeddingsResponse,
  asked: string,
  isBase64: boolean,
): object {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: isBase64 ? encodeVector(vector) : vector,
    })),
    model: model ?? asked,
    usage: { prompt_tokens: inputTokens ?? 0, total_tokens: inputTokens ?? 0 },
  };
}

const vector = z.union([z.string(), z.custom<readonly number[]>(Array.isArray)]);
const answerSchema = z.looseObject({
  data: z.array(z.looseObject({ embedding: vector })),
  usage: z.looseObject({ prompt_tokens: z.number().int().min(0).nullish() }).nullish(),
});

/**
 * Converts the provider's response to the requested format. Some providers support only one format, and OpenAI's
 * client decodes numbers as base64 if it requested base64. The bytes are unchanged if the format matches.
 */
function readAnswer(answer: Buffer, isBase64: boolean): ReturnType<EmbeddingsCall['readAnswer']> {
  const parsed = answerSchema.safeParse(parse(answer));
  if (!parsed.success) return null;
  const inputTokens = parsed.data.usage?.prompt_tokens ?? null;
  const isFit = parsed.data.data.every(({ embedding }) => (typeof embedding === 'string') === isBase64);
  if (isFit) return { inputTokens, bytes: answer };
  const data = parsed.data.data.map((entry) => ({ ...entry, embedding: convert(entry.embedding, isBase64) }));
  return { inputTokens, bytes: Buffer.from(JSON.stringify({ ...parsed.data, data })) };
}

function convert(embedding: z.infer<typeof vector>, isBase64: boolean): z.infer<typeof vector> {
  if (typeof embedding === 'string') return isBase64 ? embedding : decodeVector(embedding);
  return isBase64 ? encodeVector(embedding) : embedding;
}

const floatBytes = 4;

/** Encodes numbers as little-endian 4-byte floats, like OpenAI. */
function encodeVector(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * floatBytes);
  for (const [index, number] of numbers.entries()) bytes.writeFloatLE(number, index * floatBytes);
  return bytes.toString('base64');
}

function decodeVector(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  const length = Math.floor(bytes.length / floatBytes);
  return Array.from({ length }, (_, index) => bytes.readFloatLE(index * floatBytes));
}

function parse(answer: Buffer): unknown {
  try {
    return JSON.parse(answer.toString());
  } catch {
    return null;
  }
}
