import { isObject } from '#json/json-value.ts';
import { extractText } from './extract-text.ts';

/** Maximum length of a text that merely asks to continue. */
const lettersMax = 200;

const words = new Set(
  `yes yeah yep yup sure ok okay k alright fine great good perfect cool nice thanks thank you please pls go on ahead continue
  proceed keep going carry with it that this them these those the a an one now then and so just do did it's that's as above
  below said asked before previous previously earlier same again more next further start begin finish complete rest remaining
  resume answer reply respond to my me i we let's lets want would like should could can will of from where left off stopped
  first last message question request task part parts in full fully all already of course absolutely definitely exactly right
  correct agreed come try retry still also be is are for up out get there here your mine text response
  ja bitte gerne gern weiter mach mache machen fahr fort damit jetzt nun genau das es so und danke los leg
  oui merci continue continuez vas y allez maintenant s'il te plaît plait ça cela
  sí si por favor sigue continúa continua adelante ahora eso gracias con
  sì prego grazie avanti vai sim favor continue obrigado isso
  да продолжай дальше пожалуйста 继续 请继续 好的 はい 続けて お願いします`.split(/\s+/),
);

/** Returns whether a text only asks to continue, for example "Yes please, continue with that now". */
export function isContinuation(text: string): boolean {
  if (text.length > lettersMax) return false;
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}']+/u)
    .every((word) => word === '' || words.has(word.replaceAll(/^'+|'+$/g, '')));
}

export interface Utterance {
  /**
   * `guide`: system and developer texts. `definition`: descriptions of tools and formats. `setting`: every field
   * outside the conversation.
   */
  readonly speaker: 'human' | 'guide' | 'model' | 'tool' | 'definition' | 'setting';
  /** Content in the caller's protocol, parsed lazily. */
  readonly content: unknown;
  /** Calls made by the model, by id or by function name. */
  readonly calls?: readonly unknown[];
  /** Id or function name of the call to which a tool result belongs. */
  readonly answers?: unknown;
}

/** Text that the request sends for the first time, or that is part of every request. */
export interface NewText {
  readonly text: string;
  /**
   * Whether the text is a description, tool result or model output, which may mention tasks without asking for them.
   */
  readonly isData: boolean;
}

/** Maximum number of characters kept from a run without spaces, such as base64. */
const runLettersMax = 8_192;
const nameLettersMax = 200;
const nameWordsMin = 4;
const wordLettersMin = 6;
const sentenceLettersMin = 16;

const descriptions: ReadonlySet<Utterance['speaker']> = new Set(['definition', 'setting']);

const instructing: ReadonlySet<Utterance['speaker']> = new Set(['human', 'guide']);

/**
 * Lists the text of a request that a model has not responded to yet: everything after the last response, prefill,
 * instructions, descriptions and other fields. If that text only asks to continue, the last response is included.
 */
export function listNewTexts(
  utterances: readonly Utterance[],
  readText = (said: Utterance) => extractText(said.content),
): NewText[] {
  const start = findNewStart(utterances, readText);
  const texts: NewText[] = [];
  utterances.forEach(({ content, speaker }, index) => {
    const isAlwaysRead = speaker === 'guide' || descriptions.has(speaker);
    if (index < start && !isAlwaysRead) return;
    const text = addStrings(content, '');
    if (text !== '') texts.push({ text, isData: !instructing.has(speaker) });
  });
  return texts;
}

const isOther = (said: Utterance) => said.speaker !== 'model';

function findNewStart(utterances: readonly Utterance[], readText: (said: Utterance) => string): number {
  const isAnswer = (said: Utterance) =>
    said.speaker === 'model' && (said.calls?.some((call) => call != null) || readText(said) !== '');
  // Prefilled assistant text follows all other messages.
  const end = utterances.findLastIndex(isOther) + 1;
  const last = utterances.findLastIndex((said, index) => index < end && isAnswer(said));
  if (!isContinuation(joinHumanTexts(utterances.slice(last + 1, end), readText))) return last + 1;
  return utterances.slice(0, Math.max(last, 0)).findLastIndex(isOther) + 1;
}

function joinHumanTexts(utterances: readonly Utterance[], readText: (said: Utterance) => string): string {
  let words: string | null = null;
  utterances.forEach((said) => {
    if (said.speaker === 'human') words = words === null ? readText(said) : `${words} ${readText(said)}`;
  });
  return words ?? '';
}

/**
 * Adds lines to a text: every string in a value, every property name that may contain a sentence, and words that are
 * split across several strings.
 */
function addStrings(value: unknown, lines: string): string {
  if (typeof value === 'string') return value === '' ? lines : addLine(lines, readString(value));
  let found = lines;
  if (Array.isArray(value)) {
    for (const part of value) found = addStrings(part, found);
    return addJoinedWords(value, found);
  }
  if (!isObject(value)) return found;
  let names = 0;
  for (const name in value) {
    names++;
    const held: unknown = value[name as keyof typeof value];
    // Kinds, roles and ids contain no prompt text, and shorter strings are too short for a request.
    if (typeof held === 'string' && held.length < wordLettersMin) continue;
    if (name.length >= sentenceLettersMin) found = addLine(found, readString(name));
    found = addStrings(held, found);
  }
  return names >= nameWordsMin ? addJoinedWords(Object.keys(value), found) : found;
}

function addLine(lines: string, line: string): string {
  return lines === '' ? line : `${lines}\n${line}`;
}

/** Adds a list of short words as one line. Ignores other lists. */
function addJoinedWords(parts: readonly unknown[], lines: string): string {
  if (parts.length < nameWordsMin || !parts.every(isWord)) return lines;
  const isOfLetters = parts.every((part) => typeof part === 'string' && part.length === 1);
  return addLine(lines, parts.slice(0, joinedMax).join(isOfLetters ? '' : ' '));
}

const joinedMax = 1_000;

function isWord(part: unknown): boolean {
  return typeof part === 'string' ? part.length <= sentenceLettersMin * 2 : typeof part === 'number';
}

function readString(text: string): string {
  if (text.length >= runLettersMax) return cutRuns(text);
  return readName(text) ?? text;
}

/**
 * Truncates long runs of ASCII without spaces. Such a run contains one of the probed positions, so the characters
 * between them are not read. A regular expression for the whole run would overflow the stack on megabytes.
 */
function cutRuns(text: string): string {
  let cut = '';
  let keptFrom = 0;
  for (let probe = runLettersMax; probe < text.length; probe += runLettersMax) {
    if (!isInRun(text, probe)) continue;
    let start = probe;
    while (start > 0 && isInRun(text, start - 1)) start--;
    runEnds.lastIndex = probe;
    const end = runEnds.exec(text)?.index ?? text.length;
    if (end - start > runLettersMax) {
      cut += text.slice(keptFrom, start + runLettersMax);
      keptFrom = end;
    }
    probe = end;
  }
  return cut + text.slice(keptFrom);
}

const runEnds = /[^\x21-\x7e]/g;

function isInRun(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code > 0x20 && code < 0x7f;
}

/** Splits a name such as `tell_me_a_story` into words; returns `null` for other names. */
function readName(name: string): string | null {
  if (name.length > nameLettersMax || !/[_.-]/.test(name) || /\s/.test(name)) return null;
  const words = name.split(/[_.-]+/).filter((word) => /^\p{L}+$/u.test(word));
  return words.length < nameWordsMin ? null : words.join(' ');
}
