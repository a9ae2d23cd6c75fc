import { parseExactly } from '#json/exact-json.ts';
import { listFieldNames } from '#json/field-names.ts';
import { editObject } from '#json/json-object.ts';
import { scanObject } from '#json/json-scan.ts';
import { finish, type Steps } from '#platform/steps.ts';
import {
  type BodyForm,
  type CallerBody,
  editBody,
  findMissingContent,
  listOwnFieldEdits,
  readCallerBody,
  readTaskId,
} from '../caller-request/caller-body.ts';
import { findPaidExtra } from '../caller-request/priced-by-tokens.ts';
import { readPrompt } from '../caller-request/prompt.ts';
import { findPlace } from '../caller-request/request-places.ts';
import { findUnlisted } from '../caller-request/request-shape.ts';
import type { CompletionRequest, OutputCap, ParsedRequest } from '../canonical/request.ts';
import { memoize } from '../memoize.ts';
import type { Utterance } from '../new-texts.ts';
import { type PromptTexts, readPromptTexts } from '../prompt-texts.ts';
import type { RequestPath } from '../protocol.ts';
import { readModelTraits } from './model-traits.ts';
import { decodeRequest } from './request-decoder.ts';
import { sharedAccountRequest } from './shared-account.ts';
import { isForeignSignature, uncheckedSignature } from './signature.ts';
import { withUnderscores } from './spelling.ts';
import { type Content, type GenerateContentRequest, generateContentRequest, type Part } from './wire.ts';

type Body = CallerBody<GenerateContentRequest>;

const form: BodyForm<GenerateContentRequest> = {
  schema: generateContentRequest,
  names: listFieldNames([generateContentRequest], (name) => [withUnderscores(name)]),
};

/** Model and streaming are part of the URL. */
export function* readRequest(bytes: Buffer, path: RequestPath): Steps<ParsedRequest> {
  const read = yield* readCallerBody(bytes, form);
  if (!read.ok) return read;
  const problem = findMissingContent(read.body.fields.contents, 'contents', 'parts');
  if (problem) return { ok: false, problem };
  const isStream = path.isStream === true;
  if (read.body.fields.format === 'minimal' && isStream) {
    const message = "The format 'minimal' cannot be streamed; call generateContent or leave out 'format'.";
    return { ok: false, problem: { code: 'invalid_request', message, param: 'format' } };
  }
  const model = (path.model ?? read.body.fields.model ?? '').replace(/^models\//, '');
  if (model !== '') return { ok: true, request: toCompletionRequest(read.body, model, isStream) };
  const message = 'The URL must name the model: models/{model}:generateContent.';
  return { ok: false, problem: { code: 'invalid_request', message, param: 'model' } };
}

export const parseRequest = (bytes: Buffer, path: RequestPath): ParsedRequest =>
  finish(readRequest(bytes, path));

function toCompletionRequest(body: Body, model: string, isStream: boolean): CompletionRequest {
  const { fields } = body;
  return {
    protocol: 'gemini',
    model,
    isStream,
    isMinimal: fields.format === 'minimal',
    // Gemini streams always include usage.
    wantsUsage: true,
    taskId: readTaskId(fields),
    ...readContentsPrompt(fields),
    output: {
      tokensMax: fields.generationConfig?.maxOutputTokens ?? null,
      thinkingTokens: Math.max(0, fields.generationConfig?.thinkingConfig?.thinkingBudget ?? 0),
      answers: fields.generationConfig?.candidateCount ?? 1,
    },
    encodeFor: (target, _, cap) => editBody(body, listEdits(body, target, cap)),
    toCanonical: memoize(() => decodeRequest(readExactFields(body))),
    findUnlistedField: () => findUnlisted(body.value, sharedAccountRequest),
    findPaidExtra: () => findPaidExtra(body, 'gemini'),
    findPlace: (isFound) => findPlace(body.value, 'gemini', isFound),
    readPrompt: () => readPrompt(body, 'gemini'),
  };
}

// Lists the changes to the body. All other bytes reach the provider unchanged.
function listEdits(
  body: Body,
  model: string,
  cap: OutputCap | undefined,
): Map<string, Buffer | string | null> {
  const { model: named, contents } = body.fields;
  const edits = listOwnFieldEdits(body);
  if (named != null && named.replace(/^models\//, '') !== model)
    edits.set('model', JSON.stringify(`models/${model}`));
  const signed = dropForeignSignatures(contents, model, () => readExactFields(body).contents);
  if (signed !== null) edits.set('contents', JSON.stringify(signed));
  if (cap) addCapEdit(edits, body, cap.tokens);
  return edits;
}

const configNames = ['generationConfig', 'generation_config'];
const capNames = ['maxOutputTokens', 'max_output_tokens'];

function addCapEdit(edits: Map<string, Buffer | string | null>, body: Body, tokens: number): void {
  const { bytes, fields, span } = body;
  const config = span.fields.find(({ key }) => configNames.includes(key));
  if (!config || !fields.generationConfig) {
    edits.set(config?.key ?? 'generationConfig', JSON.stringify({ maxOutputTokens: tokens }));
    return;
  }
  const nested = scanObject(bytes, config.valueStart);
  const named = nested.fields.find(({ key }) => capNames.includes(key));
  const value = fields.generationConfig.maxOutputTokens ?? 0;
  if (value > 0 && value <= tokens) return;
  const key = named?.key ?? 'maxOutputTokens';
  edits.set(config.key, editObject(bytes, nested, new Map([[key, String(tokens)]])));
}

// Tool calls in the history are encoded again and must not lose digits.
function readExactFields({ fields, bytes, hasLongNumber }: Body): GenerateContentRequest {
  if (!hasLongNumber) return fields;
  return generateContentRequest.safeParse(parseExactly(bytes.toString())).data ?? fields;
}

function readContentsPrompt(fields: GenerateContentRequest): PromptTexts {
  const { contents, systemInstruction, tools, ...others } = fields;
  return readPromptTexts([
    { speaker: 'setting', content: [others, contents.map(({ parts: _, ...more }) => more)] },
    { speaker: 'definition', content: tools },
    { speaker: 'guide', content: systemInstruction },
    ...contents.flatMap(toUtterances),
  ]);
}

/** All roles except `model` belong to the caller. Function results are part of the same content. */
function toUtterances({ role, parts }: Content): Utterance[] {
  if (role === 'model') {
    const called = (parts ?? []).flatMap(({ functionCall }) => functionCall ?? []);
    return [
      { speaker: 'model', content: parts, calls: called.flatMap(({ id, name }) => [id ?? [], name].flat()) },
    ];
  }
  return (parts ?? []).map((part): Utterance => {
    const { functionResponse: result } = part;
    if (!result) return { speaker: 'human', content: part };
    return { speaker: 'tool', content: part, answers: result.id ?? result.name };
  });
}

type Contents = readonly Content[];

/**
 * Removes other providers' signatures from earlier turns, because Google would reject them: reasoning is dropped,
 * calls are kept. Returns `null` if nothing changes. `readExact` returns the contents with all digits of long
 * numbers.
 */
function dropForeignSignatures(
  contents: Contents,
  model: string,
  readExact: () => Contents,
): Contents | null {
  const mustBeSigned = readModelTraits(model).isThirdGeneration;
  const mustDropSignature = ({ thoughtSignature: signature }: Part) =>
    typeof signature === 'string' &&
    isForeignSignature(signature) &&
    !(mustBeSigned && signature === uncheckedSignature);
  if (!contents.some(({ parts }) => parts?.some(mustDropSignature))) return null;
  return readExact()
    .map((content) => ({
      ...content,
      parts: (content.parts ?? []).flatMap((part) =>
        mustDropSignature(part) ? withoutSignature(part, mustBeSigned) : [part],
      ),
    }))
    .filter(({ parts }, index) => parts.length > 0 || contents[index]?.parts?.length === 0);
}

function withoutSignature({ thoughtSignature: _signature, ...part }: Part, mustBeSigned: boolean): Part[] {
  if (part.thought === true) return [];
  return [part.functionCall && mustBeSigned ? { ...part, thoughtSignature: uncheckedSignature } : part];
}
