import { isContinuation } from './continuation.ts';
import { isObject } from './json/json-value.ts';
import { readSaidText } from './said-text.ts';

/** One piece of a conversation, in its order. */
export interface Utterance {
  /**
   * `guide`: system and developer texts. `definition`: what tools and formats are said to be. `setting`: every field
   * outside of the conversation.
   */
  readonly speaker: 'human' | 'guide' | 'model' | 'tool' | 'definition' | 'setting';
  /** In the terms of the caller's protocol; read only where it matters. */
  readonly content: unknown;
  /** The calls that a model made: their ids, or the names of their functions. */
  readonly calls?: readonly unknown[];
  /** The call that a tool answers. */
  readonly answers?: unknown;
}

/** Text that a request sends for the first time, or with each request. */
export interface NewText {
  readonly text: string;
  /** Descriptions, results of tools and words of models: they name tasks without asking for them. */
  readonly isData: boolean;
}

/** Of a run without a space, such as base64, so many letters are kept. */
const runLettersMax = 8_192;
const longRuns = new RegExp(`[!-~]{${runLettersMax},}`, 'g');
const nameLettersMax = 200;
const nameWordsMin = 4;
const wordLettersMin = 6;

const descriptions: ReadonlySet<Utterance['speaker']> = new Set(['definition', 'setting']);

const asking: ReadonlySet<Utterance['speaker']> = new Set(['human', 'guide']);

/**
 * Lists all text of a request that a model has not answered yet: what follows its last answer, the words with which it is
 * to begin, instructions, descriptions, and every other field. Whoever asks to continue asks for what the answer before says.
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
  // What a model is to begin with stands behind all others.
  const end = utterances.findLastIndex((said) => said.speaker !== 'model') + 1;
  const answers = utterances.slice(0, end);
  const last = answers.findLastIndex(isAnswer);
  const asked = utterances.slice(last + 1, end).filter(({ speaker }) => speaker === 'human');
  const words = asked.map(({ content }) => readSaidText(content)).join(' ');
  if (!isContinuation(words)) return last + 1;
  return answers.slice(0, Math.max(last, 0)).findLastIndex((said) => said.speaker !== 'model') + 1;
}

/** Every string in a value, and every name that is a sentence. */
function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [readString(value)];
  if (Array.isArray(value)) return value.flatMap(listStrings);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    // Kinds, roles and ids say nothing, and texts hide in no shorter ones.
    if (typeof held === 'string' && held.length < wordLettersMin) return [];
    const words = readName(name);
    return words === null ? listStrings(held) : [words, ...listStrings(held)];
  });
}

function readString(text: string): string {
  if (text.length > nameLettersMax) return text.replaceAll(longRuns, (run) => run.slice(0, runLettersMax));
  return readName(text) ?? text;
}

/** The words of a name such as `tell_me_a_story`; `null` for what is none. */
function readName(name: string): string | null {
  if (name.length > nameLettersMax || !/[_.-]/.test(name) || /\s/.test(name)) return null;
  const words = name.split(/[_.-]+/).filter((word) => /^\p{L}+$/u.test(word));
  return words.length < nameWordsMin ? null : words.join(' ');
}
