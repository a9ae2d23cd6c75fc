import { listUnlisted } from '../caller-request/request-shape.ts';
import type { CanonicalRequest, CompletionRequest, ResponseFormat, Sampling } from '../canonical/request.ts';
import { orProblem, UntranslatableError } from '../translation/untranslatable.ts';
import { decodeContents } from './contents-decoder.ts';
import { readSchema } from './schema.ts';
import { decodeThinking } from './thinking.ts';
import { decodeTools } from './tools.ts';
import { translatedFields } from './translated-fields.ts';
import type { GenerateContentRequest, GenerationConfig } from './wire.ts';

export function decodeRequest(fields: GenerateContentRequest): ReturnType<CompletionRequest['toCanonical']> {
  return orProblem(() => ({ ok: true, request: translate(fields) }));
}

function translate(fields: GenerateContentRequest): CanonicalRequest {
  const config = fields.generationConfig ?? ({} as GenerationConfig); // safe because all fields are optional
  refuseWithoutForm(fields, config);
  const extensions = new Set(listUnlisted(fields, translatedFields));
  const { candidateCount, maxOutputTokens, stopSequences } = config;
  const responseFormat = decodeFormat(config);
  const reasoning = decodeThinking(config.thinkingConfig);
  return {
    messages: decodeContents(fields, (name) => extensions.add(name)),
    ...decodeTools(fields, (name) => extensions.add(name)),
    ...(maxOutputTokens != null && { outputTokensMax: maxOutputTokens }),
    ...(candidateCount != null && { count: candidateCount }),
    stop: stopSequences ?? [],
    sampling: decodeSampling(config),
    ...(responseFormat && { responseFormat }),
    ...(reasoning && { reasoning }),
    ...(config.responseModalities?.some((kind) => readModality(kind) === 'image') && { wantsImages: true }),
    extensions: [...extensions],
  };
}

function refuseWithoutForm({ cachedContent }: GenerateContentRequest, config: GenerationConfig): void {
  if (cachedContent != null)
    throw new UntranslatableError(
      'Only Google can read its cache, and this model belongs to another provider.',
      'cachedContent',
    );
  const foreign = config.responseModalities?.find((kind) => readModality(kind) === null);
  if (foreign !== undefined)
    throw new UntranslatableError(
      `This model returns only text and images, not '${foreign}'.`,
      'generationConfig.responseModalities',
    );
}

/** Names and numbers of Google's enum. Some Google clients send the numbers. */
const modalities: ReadonlyMap<string, 'text' | 'image'> = new Map([
  ['TEXT', 'text'],
  ['1', 'text'],
  ['IMAGE', 'image'],
  ['2', 'image'],
]);

function readModality(kind: string | number): 'text' | 'image' | null {
  return modalities.get(String(kind).toUpperCase()) ?? null;
}

function decodeSampling(config: GenerationConfig): Sampling {
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty } = config;
  return {
    ...(temperature != null && { temperature }),
    ...(topP != null && { topP }),
    ...(topK != null && { topK }),
    ...(seed != null && { seed }),
    ...(presencePenalty != null && { presencePenalty }),
    ...(frequencyPenalty != null && { frequencyPenalty }),
    ...((config.responseLogprobs || config.logprobs) && { topLogprobs: config.logprobs ?? 0 }),
  };
}

function decodeFormat(config: GenerationConfig): ResponseFormat | undefined {
  const { responseMimeType, responseSchema, responseJsonSchema } = config;
  const schema = responseJsonSchema ?? (responseSchema && readSchema(responseSchema));
  const type = responseMimeType || (schema ? 'application/json' : 'text/plain');
  if (type === 'text/plain') return undefined;
  if (type !== 'application/json')
    throw new UntranslatableError(
      `This model returns plain text or JSON, not '${type}'.`,
      'generationConfig.responseMimeType',
    );
  if (!schema) return { kind: 'json' };
  const { title, description } = schema;
  return {
    kind: 'json-schema',
    name: typeof title === 'string' && /^[\w-]{1,64}$/.test(title) ? title : 'answer',
    schema,
    ...(typeof description === 'string' && { description }),
  };
}
