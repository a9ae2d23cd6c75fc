import {
  type CallerBody,
  editBody,
  editField,
  listOwnFieldEdits,
  readCallerBody,
  readTaskId,
} from '../caller-body.ts';
import type { CompletionRequest, OutputCap, ParsedRequest } from '../canonical/request.ts';
import { hasLongNumber, parseExactly } from '../exact-json.ts';
import { dropForeignSignatures } from './foreign-signatures.ts';
import { decodeRequest } from './request-decoder.ts';
import { type GenerateContentRequest, generateContentRequest } from './wire.ts';

type Body = CallerBody<GenerateContentRequest>;

/** Reads a request to generate content and keeps its bytes; model and streaming stand in the URL. */
export function parseRequest(
  bytes: Buffer,
  path: { readonly model: string | null; readonly isStream: boolean | null },
): ParsedRequest {
  const read = readCallerBody(bytes, generateContentRequest);
  if (!read.ok) return read;
  const isStream = path.isStream === true;
  if (read.body.fields.format === 'minimal' && isStream) {
    const message = "The format 'minimal' cannot be streamed; call generateContent or leave out 'format'.";
    return { ok: false, problem: { code: 'invalid_request', message, param: 'format' } };
  }
  const model = (path.model ?? read.body.fields.model ?? '').replace(/^models\//, '');
  if (model !== '') return { ok: true, request: describe(read.body, model, isStream) };
  const message = 'The URL must name the model: models/{model}:generateContent.';
  return { ok: false, problem: { code: 'invalid_request', message, param: 'model' } };
}

function describe(body: Body, model: string, isStream: boolean): CompletionRequest {
  const { fields } = body;
  const outputTokensMax = fields.generationConfig?.maxOutputTokens;
  return {
    protocol: 'gemini',
    model,
    isStream,
    isMinimal: fields.format === 'minimal',
    // Its streams tell usage unasked.
    wantsUsage: true,
    taskId: readTaskId(fields),
    prompt: findLastHumanText(fields),
    ...(outputTokensMax != null && { outputTokensMax }),
    encodeFor: (target, _, cap) => editBody(body, listEdits(body, target, cap)),
    toCanonical: () => decodeRequest(readExactFields(body)),
  };
}

// The named edits: everything else of the caller's bytes reaches the provider as it is.
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
  if (cap) edits.set(...writeCap(body, cap));
  return edits;
}

/** The field that holds the cap, in the caller's spelling. */
function writeCap(body: Body, { tokens }: OutputCap): [field: string, value: Buffer | string] {
  const isNamed = (key: string) => body.span.fields.some((field) => field.key === key);
  const field = isNamed('generation_config') ? 'generation_config' : 'generationConfig';
  const cap = new Map<string, string | null>([
    ['max_output_tokens', null],
    ['maxOutputTokens', String(tokens)],
  ]);
  const edited = body.fields.generationConfig ? editField(body, field, cap) : null;
  return [field, edited ?? JSON.stringify({ maxOutputTokens: tokens })];
}

// Calls in the history are written again, and must not lose digits on the way.
function readExactFields({ fields, bytes }: Body): GenerateContentRequest {
  const text = bytes.toString();
  return hasLongNumber(text) ? (generateContentRequest.safeParse(parseExactly(text)).data ?? fields) : fields;
}

// A turn that only carries tools' results is nobody's words.
function findLastHumanText({ contents }: GenerateContentRequest): string | null {
  for (const { role, parts } of contents.toReversed()) {
    if (role === 'model') continue;
    const texts = (parts ?? []).flatMap(({ text }) => (text ? [text] : []));
    if (texts.length > 0) return texts.join('\n');
  }
  return null;
}
