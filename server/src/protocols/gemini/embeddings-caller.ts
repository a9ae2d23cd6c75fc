import { z } from 'zod';
import { embeddingInputsMax, embeddingsLimits } from '#json/body-limits.ts';
import { listFieldNames } from '#json/field-names.ts';
import type { Steps } from '#platform/steps.ts';
import {
  type BodyForm,
  type CallerBody,
  listOwnFieldEdits,
  ownFields,
  readCallerBody,
  readTaskId,
} from '../caller-request/caller-body.ts';
import { findPaidExtra } from '../caller-request/priced-by-tokens.ts';
import { readPrompt } from '../caller-request/prompt.ts';
import { findPlace } from '../caller-request/request-places.ts';
import {
  anything,
  each,
  findUnlisted,
  listOf,
  mapOf,
  object,
  type Shape,
  scalar,
} from '../caller-request/request-shape.ts';
import type { EmbeddingsCall, EmbeddingsResponse, ParsedEmbeddings } from '../canonical/embeddings.ts';
import type { RequestPath } from '../protocol.ts';
import { embeddings } from './embeddings.ts';
import { atLeastOne, inEitherSpelling, withUnderscores } from './spelling.ts';

/** Only text is accepted, since no supported vendor embeds anything else through this protocol. */
const content = inEitherSpelling({
  role: z.string().nullish(),
  parts: atLeastOne(z.looseObject({ text: z.string({ error: 'must be a text' }) })),
});

const fields = {
  model: z.string().nullish(),
  content,
  taskType: z.string().nullish(),
  title: z.string().nullish(),
  outputDimensionality: z.number().int().min(1).nullish(),
};
const single = inEitherSpelling(fields);
type Single = z.infer<typeof single>;

const whole = inEitherSpelling({ ...fields, ...ownFields });
const batch = z.looseObject({ ...ownFields, requests: z.array(single).min(1).max(embeddingInputsMax) });

const spellingsOf = (name: string) => [withUnderscores(name)];
const wholeForm: BodyForm<z.infer<typeof whole>> = {
  schema: whole,
  names: listFieldNames([whole], spellingsOf),
  limits: embeddingsLimits,
};
const batchForm: BodyForm<z.infer<typeof batch>> = {
  schema: batch,
  names: listFieldNames([batch], spellingsOf),
  limits: embeddingsLimits,
};

/** Reads `embedContent`, which embeds one content, and `batchEmbedContents`, which embeds a list of requests. */
export function* readEmbeddings(
  bytes: Buffer,
  { model, isBatch }: Pick<RequestPath, 'model'> & { readonly isBatch: boolean },
): Steps<ParsedEmbeddings> {
  const named = (model ?? '').replace(/^models\//, '');
  if (isBatch) {
    const read = yield* readCallerBody(bytes, batchForm);
    return read.ok ? { ok: true, request: toCall(read.body, read.body.fields.requests, named, true) } : read;
  }
  const read = yield* readCallerBody(bytes, wholeForm);
  return read.ok ? { ok: true, request: toCall(read.body, [read.body.fields], named, false) } : read;
}

function toCall(
  body: CallerBody<Parameters<typeof readTaskId>[0]>,
  requests: readonly Single[],
  model: string,
  isBatch: boolean,
): EmbeddingsCall {
  const [first] = requests;
  const own = new Set(listOwnFieldEdits(body).keys());
  return {
    protocol: 'gemini',
    operation: 'embeddings',
    model,
    isStream: false,
    taskId: readTaskId(body.fields),
    prompt: null,
    judged: null,
    isFollowUp: false,
    listNewTexts: () => [],
    output: { tokensMax: 0, thinkingTokens: 0, answers: 1 },
    findUnlistedField: () => findUnlisted(body.value, sharedAccountEmbeddings),
    findPaidExtra: () => findPaidExtra({ value: withoutModels(body.value) }, 'embeddings'),
    findPlace: (isFound) => findPlace(withoutModels(body.value), 'gemini', isFound),
    // Google's endpoint for lists serves single contents too.
    encodeFor: (target) => {
      const sent = isBatch ? z.array(z.looseObject({})).parse(body.value.requests) : [omit(body.value, own)];
      const named = sent.map((request) => ({
        ...request,
        model: `models/${target.replace(/^models\//, '')}`,
      }));
      return Buffer.from(JSON.stringify({ requests: named }));
    },
    readPrompt: () => readPrompt(body, 'embeddings'),
    toCanonical: () => ({
      inputs: requests.map(({ content: { parts } }) => parts.map(({ text }) => text).join('')),
      ...(first?.outputDimensionality != null && { dimensions: first.outputDimensionality }),
    }),
    encodeResponse: (response) => encodeResponse(response, isBatch),
    readAnswer(answer) {
      const decoded = embeddings.decodeResponse(answer);
      if (!decoded || decoded.vectors.length !== requests.length) return null;
      const { inputTokens } = decoded;
      return { inputTokens, bytes: Buffer.from(JSON.stringify(encodeResponse(decoded, isBatch))) };
    },
  };
}

const modelOnly = new Set(['model']);

/** Omits the model from each request of a batch, since `encodeFor` sets it. */
function withoutModels(value: CallerBody<unknown>['value']): CallerBody<unknown>['value'] {
  const { requests } = value;
  if (!Array.isArray(requests)) return value;
  return { ...value, requests: requests.map((request) => omit(request, modelOnly)) };
}

function omit(value: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

function encodeResponse({ vectors, inputTokens }: EmbeddingsResponse, isBatch: boolean): object {
  const told = vectors.map((values) => ({ values }));
  return {
    ...(isBatch ? { embeddings: told } : { embedding: told[0] }),
    ...(inputTokens !== null && { usageMetadata: { promptTokenCount: inputTokens } }),
  };
}

/** Fields of embeddings requests that are allowed for an account shared by tenants. */
const singleShape = each('model taskType task_type title outputDimensionality output_dimensionality');
const contentShape = object({ ...each('role'), parts: listOf(object({ text: anything })) });
const sharedAccountEmbeddings: Shape = object({
  ...singleShape,
  ...each('task_id format'),
  content: contentShape,
  metadata: mapOf(scalar),
  requests: listOf(object({ ...singleShape, content: contentShape })),
});
