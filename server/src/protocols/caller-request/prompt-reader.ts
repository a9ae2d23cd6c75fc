import { isObject } from '#json/json-value.ts';
import type { MediaKind, PromptMedia } from '../canonical/prompt.ts';

export interface FoundPrompt {
  readonly texts: string[];
  readonly media: PromptMedia[];
  sealedLetters: number;
  pieces: number;
  tokens: number;
}

/** Never throws, regardless of the value. */
export type Read = (value: unknown, found: FoundPrompt) => void;

/** Maximum length of a setting or id, which providers do not show to the model. Longer values count as text. */
const settingLettersMax = 200;
/** URLs may be longer than ids. */
const addressLettersMax = 2_000;

export const text: Read = (value, found) => {
  found.texts.push(typeof value === 'string' ? value : JSON.stringify(value));
};

/** Reader for an enum value, a number, an id, or a small object of these. */
export const setting: Read = (value, found) => readShort(value, found, settingLettersMax);

export const sealed: Read = (value, found) => {
  if (typeof value !== 'string') return setting(value, found);
  found.sealedLetters += value.length;
};

export const base64 =
  (kind: MediaKind): Read =>
  (value, found) => {
    if (typeof value !== 'string') return setting(value, found);
    found.media.push({ kind, letters: value.length });
  };

/** Reader for a data URL, which contains the media type, or any other URL. */
export const address =
  (kind: MediaKind): Read =>
  (value, found) => {
    if (typeof value !== 'string') return setting(value, found);
    const [, mediaType] = /^data:([^;,]{1,100})[;,]/i.exec(value.slice(0, 120)) ?? [];
    if (mediaType !== undefined) return base64(findKind(mediaType))(value, found);
    found.media.push({ kind: findKindOfFile(value) ?? kind, letters: null });
    readShort(value, found, addressLettersMax);
  };

/** Reader for the name of an object stored by the provider. */
export const stored =
  (kind: MediaKind): Read =>
  (value, found) => {
    found.media.push({ kind, letters: null });
    setting(value, found);
  };

const endings =
  /\.(?:(mp3|wav|m4a|ogg|oga|opus|flac|aac|aiff)|(?:mp4|m4v|mov|webm|mkv|avi|mpe?g|3gp))(?:[?#]|$)/i;

function findKindOfFile(url: string): MediaKind | null {
  const ending = endings.exec(url.slice(0, addressLettersMax));
  if (!ending) return null;
  return ending[1] === undefined ? 'video' : 'audio';
}

export function findKind(mediaType: unknown): MediaKind {
  const [, kind] = (typeof mediaType === 'string' && /^(image|audio|video)\//i.exec(mediaType)) || [];
  return kind === undefined ? 'document' : (kind.toLowerCase() as MediaKind); // safe because the pattern matched
}

export const each =
  (read: Read): Read =>
  (value, found) => {
    if (!Array.isArray(value)) return read(value, found);
    for (const item of value) read(item, found);
  };

/** Like `read`, for values that providers wrap in additional tokens. */
export const piece =
  (read: Read): Read =>
  (value, found) => {
    if (value == null) return;
    found.pieces++;
    read(value, found);
  };

/** Reader for an object with these fields. Other fields and other values are read as text, in JSON. */
export function fields(known: Readonly<Record<string, Read>>): Read {
  const readers = new Map(Object.entries(known));
  return (value, found) => {
    if (value == null) return;
    if (!isObject(value)) return text(value, found);
    // `for...in` is safe, because the prototype has no enumerable names. `Object.entries` would take longer than the
    // walk.
    for (const name in value) {
      const held: unknown = value[name as keyof typeof value];
      const read = readers.get(name);
      if (read) {
        if (held !== null) read(held, found);
      } else {
        text(name, found);
        text(held, found);
      }
    }
  };
}

export function named(names: string, read: Read): Readonly<Record<string, Read>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, read]));
}

function readShort(value: unknown, found: FoundPrompt, lettersMax: number): void {
  if (typeof value === 'number' || typeof value === 'boolean') return;
  const words = typeof value === 'string' ? value : JSON.stringify(value);
  if (words.length > lettersMax) text(words, found);
}
