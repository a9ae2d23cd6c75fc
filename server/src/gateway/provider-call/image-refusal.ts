import { normalizeLongText } from '@sluice/contract';
import type { CanonicalRequest, RequestProblem } from '#protocols/canonical/request.ts';

/** Name under which rejected images are remembered, similar to a rejected field. */
export const imagesField = 'images';

/** Maximum length of a classified message. Longer messages may quote the request, whose words could match by chance. */
const messageLengthMax = 1_000;

/** Messages with which providers reject all images, as opposed to a single invalid image. */
const refusals: readonly RegExp[] = [
  /(images?|image_url|image (content|inputs?)|vision|multimodal)\b[^.]{0,60}?\b(not|n't|isn't|only) (be )?(supported|enabled|allowed|available|accepted|permitted)/i,
  /(not|n't|cannot) (support|accept|allow) (any )?(images?|image_url|image (content|inputs?)|vision|multimodal)\b/i,
  /(not|n't|cannot) (process|handle|take) (any )?(images|image inputs?)\b/i,
  /no endpoints found that support image input/i,
  /not a (multi-?modal|vision) model/i,
  /unknown variant [`'"]?(image_url|input_image|image)\b/i,
  /at most 0 images?\b/i,
  /missing data required for image input/i,
  /image input modality is not enabled/i,
];

/**
 * Whether the provider's own words, as opposed to quoted texts of the caller, state that the model accepts no images.
 */
export function refusesImages(message: string, callerTexts: readonly string[]): boolean {
  if (message.length > messageLengthMax || !refusals.some((words) => words.test(message))) return false;
  if (callerTexts.reduce((sum, { length }) => sum + length, 0) > comparedLengthMax) return false;
  const texts = callerTexts.map(normalize);
  const own = removeQuotedEchoes(normalize(message), texts);
  return refusals.some((words) => {
    const [said] = words.exec(own) ?? [];
    return said !== undefined && !isEcho(said, texts);
  });
}

/**
 * Maximum total length of the compared texts. For requests with longer texts, an error is never classified as a
 * rejection of images.
 */
const comparedLengthMax = 256 * 1024;
/** Minimum length of a common sequence from which a provider's error is assumed to repeat the caller's text. */
const echoLength = 12;

/** Normalizes the differences between a text and its quotation in an error: spaces, quotes, escapes and case. */
function normalize(text: string): string {
  const plain = text
    .replaceAll(/\\+[nrt]|&nbsp;|[\s\u200b-\u200f\u2060\ufeff]+/g, ' ')
    .replaceAll(/&(apos|#39);|[\u2018\u2019`]/g, "'")
    .replaceAll(/&(quot|#34);|[\u201c-\u201f]|(?<![a-z])'|'(?![a-z])/gi, '"')
    .replaceAll(/\\+"/g, '"');
  return normalizeLongText(plain).toLowerCase();
}

function removeQuotedEchoes(message: string, texts: readonly string[]): string {
  return message.replaceAll(/"([^"]+)"/g, (quoted, words: string) =>
    texts.some((text) => text.includes(words)) ? '' : quoted,
  );
}

function isEcho(said: string, texts: readonly string[]): boolean {
  const length = Math.min(echoLength, said.length);
  for (let start = 0; start + length <= said.length; start++) {
    const piece = said.slice(start, start + length);
    if (texts.some((text) => text.includes(piece))) return true;
  }
  return false;
}

/** Fields whose values are keywords of the protocol, unless they are longer than any keyword. */
const protocolFields: ReadonlySet<string> = new Set([
  'type',
  'role',
  'model',
  'media_type',
  'mimeType',
  'detail',
]);
const protocolWord = /^[\w/.:-]{1,40}$/;

/** Lists the caller's own texts in a body: all values except protocol keywords, and the property names of schemas. */
export function listCallerTexts(body: object): readonly string[] {
  const texts: string[] = [];
  const read = (value: unknown, field: string): void => {
    if (typeof value === 'string') {
      const isProtocol = protocolFields.has(field) && protocolWord.test(value);
      if (!isProtocol && !isData(value)) texts.push(value);
    } else if (Array.isArray(value)) for (const one of value) read(one, field);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) {
        if (field === 'properties') texts.push(name);
        read(one, name);
      }
  };
  read(body, '');
  return texts;
}

/** Skips the base64 of images and files, which contains no words. */
const isData = (text: string) =>
  text.length > 4_096 && !/\s/.test(text.slice(0, 4_096)) && !text.includes(' ');

type Part = CanonicalRequest['messages'][number]['parts'][number];

export function hasImages({ messages }: CanonicalRequest): boolean {
  return messages.some(({ parts }) => parts.some(isImage));
}

/** Returns whether user turns contain images, in which case omitting them would change the meaning of the request. */
export function needsImages({ messages }: CanonicalRequest): boolean {
  return messages.some(({ role, parts }) => role === 'user' && parts.some(isImage));
}

function isImage(part: Part): boolean {
  return part.type === 'image' || (part.type === 'tool-result' && part.parts.some(isImage));
}

export function noImagesProblem(model: string): RequestProblem {
  return {
    code: 'invalid_request',
    message: `The model '${model}' does not accept images: its provider rejected them. Send the request without images, or use a model that accepts them.`,
    param: 'messages',
  };
}
