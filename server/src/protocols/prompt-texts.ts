import { extractText } from './extract-text.ts';
import { memoize } from './memoize.ts';
import { isContinuation, listNewTexts, type NewText, type Utterance } from './new-texts.ts';

/** Text and purpose of a request. */
export interface PromptTexts {
  /** Text of the last human turn that is not empty. */
  readonly prompt: string | null;
  /** Text by which the request is judged; `null` for a request without text. */
  readonly judged: string | null;
  /** Whether the request ends in tool results without a human message after them. */
  readonly isFollowUp: boolean;
  /** Returns all text that no model has responded to yet, in any field, to find what `judged` leaves out. */
  listNewTexts(): readonly NewText[];
}

/**
 * Finds what a conversation asks for: its last non-empty human turn. Consecutive human messages are one turn, together
 * with tool results that match no call and prefilled assistant text. `areCallsElsewhere`: the provider may store the
 * calls.
 */
export function readPromptTexts(utterances: readonly Utterance[], areCallsElsewhere = false): PromptTexts {
  const calls = new Set(utterances.flatMap(({ calls: made = [] }) => made));
  const isResult = ({ speaker, answers }: Utterance) =>
    speaker === 'tool' && (areCallsElsewhere || calls.has(answers));
  const isWritten = (said: Utterance) =>
    said.speaker === 'human' || (said.speaker === 'tool' && !isResult(said));
  const read = createReader();
  const readNewTexts = memoize(() => listNewTexts(utterances, (said) => read([said]).text));
  const turns = divideTurns(utterances);
  const last = turns.at(-1) ?? [];
  const endsInResults = last.some(isResult) && read(last.filter(isWritten)).letters === 0;
  const isHuman = ({ speaker }: Utterance) => speaker === 'human';
  const prompt = findLast(turns, isHuman, 0, read).text || read(utterances.filter(isHuman)).text.trim();
  if (endsInResults && areCallsElsewhere && prompt === '')
    return { prompt: null, judged: null, isFollowUp: true, listNewTexts: readNewTexts };
  // Use only the part up to the last human message, so that each step of a tool loop is judged by the same text.
  const asked = endsInResults ? findJudged(cutAtLastHuman(utterances, read), isWritten, read) : '';
  const judged = asked || findJudged(utterances, isWritten, read);
  return {
    prompt: prompt || null,
    judged: judged || null,
    isFollowUp: asked !== '',
    listNewTexts: readNewTexts,
  };
}

/** Texts of at most this many letters, such as "ok then", are read together with the turns before them. */
const shortLettersMax = 12;

/** Combined text of some utterances; `letters` is their letter count, or any number above `shortLettersMax`. */
interface Words {
  readonly text: string;
  readonly letters: number;
}

type ReadWords = (utterances: readonly Utterance[]) => Words;

/** Memoizes each utterance, since one may be as long as the whole body. */
function createReader(): ReadWords {
  const known = new Map<Utterance, Words>();
  const readOne = (said: Utterance): Words => {
    const text = extractText(said.content);
    const letters = countLetters(text, shortLettersMax + 1);
    // "Yes, continue with that" counts as one letter, so that the turns before it are read too.
    return { text, letters: letters > 0 && isContinuation(text) ? 1 : letters };
  };
  return (utterances) =>
    utterances.map((said) => known.getOrInsertComputed(said, readOne)).reduce(join, silence);
}

/**
 * Human text takes precedence over system text, and that over tool results, model output and tool descriptions, which
 * are read only as a last resort because the model sees them too.
 */
function findJudged(
  utterances: readonly Utterance[],
  isWritten: (said: Utterance) => boolean,
  read: ReadWords,
): string {
  const begun = utterances.slice(utterances.findLastIndex(({ speaker }) => speaker !== 'model') + 1);
  let judged = findLast(divideTurns(utterances), isWritten, shortLettersMax, read);
  for (const speaker of ['guide', 'tool', 'model', 'definition'] as const) {
    if (judged.letters > shortLettersMax) break;
    judged = join(read(utterances.filter((said) => said.speaker === speaker)), judged);
  }
  const { letters, text } = join(judged, read(begun));
  return letters > 0 ? text : '';
}

/** Returns the fewest last turns that together have more than `lettersMax` letters. */
function findLast(
  turns: readonly Utterance[][],
  isOf: (said: Utterance) => boolean,
  lettersMax: number,
  read: ReadWords,
): Words {
  let words = silence;
  for (const turn of turns.toReversed()) {
    const said = read(turn.filter(isOf));
    if (said.letters > 0) words = join(said, words);
    if (words.letters > lettersMax) break;
  }
  return words;
}

/** All utterances between two model utterances form one turn. */
function divideTurns(utterances: readonly Utterance[]): Utterance[][] {
  const turns: Utterance[][] = [];
  for (const [index, said] of utterances.entries()) {
    if (said.speaker === 'model') continue;
    const turn = turns.at(-1);
    if (turn && utterances[index - 1]?.speaker !== 'model') turn.push(said);
    else turns.push([said]);
  }
  return turns;
}

function cutAtLastHuman(utterances: readonly Utterance[], read: ReadWords): readonly Utterance[] {
  const last = utterances.findLastIndex((said) => said.speaker === 'human' && read([said]).letters > 0);
  const end = last === -1 ? utterances.findIndex(({ speaker }) => speaker === 'model') : last + 1;
  return utterances.slice(0, end);
}

const silence: Words = { text: '', letters: 0 };

function join(one: Words, other: Words): Words {
  if (one.text === '') return other;
  if (other.text === '') return one;
  return { text: `${one.text}\n${other.text}`, letters: one.letters + other.letters };
}

/** Letters, digits and emoji, without invisible characters. */
const letters = /[[\p{L}\p{N}\p{So}]--[\u115F\u1160\u2800\u3164\uFFA0]]/gv;

/** Most texts have enough letters at their start, which a loop counts faster than a regular expression. */
const startLength = 256;

/** Counts at most up to `most`. Only the regular expression reads a whole text of signs: it takes a nanosecond for each. */
function countLetters(text: string, most: number): number {
  let count = 0;
  for (let index = 0; index < startLength && count < most && isAscii(text.charCodeAt(index)); index++)
    if (isAsciiLetter(text.charCodeAt(index))) count++;
  if (count >= most) return count;
  count = 0;
  letters.lastIndex = 0;
  while (count < most && letters.test(text)) count++;
  return count;
}

/** Also false for the `NaN` that `charCodeAt` returns past the end of a text. */
const isAscii = (code: number): boolean => code < 0x80;

function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
}
