import type { ImagePart, Message, TextPart, UserPart } from '../canonical/content.ts';
import type { CanonicalRequest, ModelFacts } from '../canonical/request.ts';
import { readDataUrl } from '../data-url.ts';
import { UntranslatableError } from './untranslatable.ts';

/** Name in warnings for images generated earlier in the conversation. */
export const earlierImages = 'images of earlier turns';

/** Rejects a request for images. Used for providers that return only text. @throws UntranslatableError */
export function refuseImages({ wantsImages }: Pick<CanonicalRequest, 'wantsImages'>): void {
  if (!wantsImages) return;
  throw new UntranslatableError(
    'The provider of this model returns only text. Remove images from the requested modalities.',
    'modalities',
  );
}

/** Returns the image at a URL, which may be a data URL; `null` for other values. */
export function readAnswerImage(url: string): ImagePart | null {
  const data = readDataUrl(url);
  if (data) return { type: 'image', source: { kind: 'data', ...data } };
  return /^https?:\/\//i.test(url) ? { type: 'image', source: { kind: 'url', url } } : null;
}

export function describeImage(image: ImagePart): string {
  if (image.source.kind === 'url') return `[The model returned an image: ${image.source.url}]`;
  const name = nameImage(image).slice(1, -1);
  return `[The model returned an ${name}, which this API cannot contain. Chat completions, Responses and Gemini's API can.]`;
}

export function nameImage({ source }: ImagePart): string {
  switch (source.kind) {
    case 'data':
      return `[image: ${source.mediaType}, ${countBytes(source.base64)}]`;
    case 'url':
      return `[image: ${source.url.slice(0, urlLengthMax)}]`;
    case 'file':
      return '[image]';
  }
}

const urlLengthMax = 2_000;

export function nameFile(mediaType: string, base64: string): string {
  return `[The model returned a file, which this API cannot contain: ${mediaType || 'unknown type'}, ${countBytes(base64)}]`;
}

// `toLocaleString` takes a thousand times longer, and a response may contain many images.
const number = new Intl.NumberFormat('en-US');

function countBytes({ length }: string): string {
  return `${number.format(Math.floor((length * 3) / 4))} bytes`;
}

export const introduction: TextPart = { type: 'text', text: 'Images of the previous answer:' };

/**
 * Moves generated images to the next user turn, for providers whose assistant messages contain only text. For models
 * without vision, and if no user turn follows, the images are omitted and `warn` is called.
 */
export function moveAnswerImages(
  messages: readonly Message[],
  facts: ModelFacts | undefined,
  warn: (name: string) => void,
): readonly Message[] {
  if (!messages.some(({ role, parts }) => role === 'assistant' && parts.some(isImage))) return messages;
  const moved: Message[] = [];
  let waiting: ImagePart[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      waiting.push(...message.parts.filter(isImage));
      const parts = message.parts.filter((part) => !isImage(part));
      if (parts.length > 0) moved.push({ ...message, parts });
    } else if (message.role === 'user' && waiting.length > 0 && facts?.vision !== false) {
      moved.push({ ...message, parts: insertImages(message.parts, waiting) });
      waiting = [];
    } else moved.push(message);
  }
  if (waiting.length > 0) warn(earlierImages);
  return moved;
}

/** Inserts images after tool results, since some providers require the results to be first. */
function insertImages(parts: readonly UserPart[], images: readonly ImagePart[]): UserPart[] {
  const results = parts.filter(({ type }) => type === 'tool-result');
  const said = parts.filter(({ type }) => type !== 'tool-result');
  const unsigned = images.map(({ signature: _, ...image }) => image);
  return [...results, introduction, ...unsigned, ...said];
}

function isImage(part: Message['parts'][number]): part is ImagePart {
  return part.type === 'image';
}
