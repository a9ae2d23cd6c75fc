import { isContinuation } from './continuation.ts';
import { isObject } from './json/json-value.ts';
import { readSaidText } from './said-text.ts';

export interface Utterance {
  /**
   * `guide`: system and developer texts. `definition`: descriptions of tools and formats. `setting`: every field
   * outside the conversation.
   */
  readonly speaker: 'human' | 'guide' | 'model' | 'tool' | 'definition' | 'setting';
  /** In the caller's protocol; parsed lazily. */
  readonly content: unknown;
  /** The calls that a model made: their ids, or their function names. */
  readonly calls?: readonly unknown[];
  /** The call that a tool result belongs to. */
  readonly answers?: unknown;
}

/** Text that the request sends for the first time, or that is part of every request. */
export interface NewText {
  readonly text: string;
  /** Descriptions, tool results and model output: they may mention tasks without asking for them. */
  readonly isData: boolean;
}

/** Maximum number of characters kept of a run without spaces, such as base64. */
const runLettersMax = 8_192;
const longRuns = new RegExp(`[!-~]{${runLettersMax},}`, 'g');
const nameLettersMax = 200;
const nameWordsMin = 4;
const wordLettersMin = 6;

const descriptions: ReadonlySet<Utterance['speaker']> = new Set(['definition', 'setting']);

const asking: ReadonlySet<Utterance['speaker']> = new Set(['human', 'guide']);

/**
 * Lists the text of a request that a model has not responded to yet: everything after its last answer, prefill,
 * instructions, descriptions and other fields. A mere request to continue includes the answer before it.
 */
export function listNewTexts(utterances: readonly Utterance[]): NewText[] {
  const start = findNewStart(utterances);
  return utterances.flatMap(({ content, speaker }, index) => {
    const isAlwaysRead = speaker === 'guide' || descriptions.has(speaker);
    if (index < start && !isAlwaysRead) return [];
    const text = listStrings(content).join('\n');
    return text === '' ? [] : [{ text, isData: !asking.has(speaker) }];
  });
}

function findNewStart(utterances: readonly Utterance[]): number {
  const isAnswer = ({ calls = [], content, speaker }: Utterance) =>
    speaker === 'model' && (calls.some((call) => call != null) || readSaidText(content) !== '');
  // Prefilled assistant text follows all other messages.
  const end = utterances.findLastIndex((said) => said.speaker !== 'model') + 1;
  const answers = utterances.slice(0, end);
  const last = answers.findLastIndex(isAnswer);
  const asked = utterances.slice(last + 1, end).filter(({ speaker }) => speaker === 'human');
  const words = asked.map(({ content }) => readSaidText(content)).join(' ');
  if (!isContinuation(words)) return last + 1;
  return answers.slice(0, Math.max(last, 0)).findLastIndex((said) => said.speaker !== 'model') + 1;
}

/** Lists every string in a value, and every property name that contains a sentence. */
function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [readString(value)];
  if (Array.isArray(value)) return value.flatMap(listStrings);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    // Kinds, roles and ids carry no text, and shorter strings cannot hide any.
    if (typeof held === 'string' && held.length < wordLettersMin) return [];
    const words = readName(name);
    return words === null ? listStrings(held) : [words, ...listStrings(held)];
  });
}

function readString(text: string): string {
  if (text.length > nameLettersMax) return text.replaceAll(longRuns, (run) => run.slice(0, runLettersMax));
  return readName(text) ?? text;
}

/** Splits a name such as `tell_me_a_story` into words; returns `null` for other names. */
function readName(name: string): string | null {
  if (name.length > nameLettersMax || !/[_.-]/.test(name) || /\s/.test(name)) return null;
  const words = name.split(/[_.-]+/).filter((word) => /^\p{L}+$/u.test(word));
  return words.length < nameWordsMin ? null : words.join(' ');
}
