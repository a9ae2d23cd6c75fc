import { extractText } from './extract-text.ts';
import { isContinuation, listNewTexts, type NewText, type Utterance } from './new-texts.ts';

export interface PromptTexts {
  /** Text of the last non-empty human turn. */
  readonly prompt: string | null;
  /** Text by which the request is judged; `null` for a request without text. */
  readonly judged: string | null;
  /** Whether the request ends with tool results and no human message after them. */
  readonly isFollowUp: boolean;
  /** Returns all text, in any field, that no model has responded to yet. Used to find requests outside of `judged`. */
  listNewTexts(): readonly NewText[];
}

/**
 * Finds what a conversation asks for: the last non-empty human turn. Consecutive human messages form one turn,
 * together with tool results that match no call and prefilled assistant text. `areCallsElsewhere` is true if the
 * provider may store the calls.
 */
export function readPromptTexts(utterances: readonly Utterance[], areCallsElsewhere = false): PromptTexts {
  const calls = collectCalls(utterances);
  const isResult = ({ speaker, answers }: Utterance) =>
    speaker === 'tool' && (areCallsElsewhere || calls.has(answers));
  const isWritten = (said: Utterance) =>
    said.speaker === 'human' || (said.speaker === 'tool' && !isResult(said));
  const reader = new UtteranceReader();
  const readNewTexts = () => listNewTexts(utterances, (said) => reader.readOne(said).text);
  const last = findLastTurn(utterances, utterances.length);
  const endsInResults = last.some(isResult) && reader.read(last, isWritten).letters === 0;
  const prompt =
    findLast(utterances, isHuman, 0, reader).text || reader.read(utterances, isHuman).text.trim();
  if (endsInResults && areCallsElsewhere && prompt === '')
    return { prompt: null, judged: null, isFollowUp: true, listNewTexts: readNewTexts };
  // Only the part up to the last human message is used, so that each step of a tool loop is judged by the same text.
  const asked = endsInResults ? findJudged(cutAtLastHuman(utterances, reader), isWritten, reader) : '';
  const judged = asked || findJudged(utterances, isWritten, reader);
  return {
    prompt: prompt || null,
    judged: judged || null,
    isFollowUp: asked !== '',
    listNewTexts: readNewTexts,
  };
}

const isHuman = ({ speaker }: Utterance) => speaker === 'human';
const isModel = ({ speaker }: Utterance) => speaker === 'model';
const isTool = ({ speaker }: Utterance) => speaker === 'tool';

const noCalls: ReadonlySet<unknown> = new Set();

function collectCalls(utterances: readonly Utterance[]): ReadonlySet<unknown> {
  return utterances.some(isTool) ? new Set(utterances.flatMap(({ calls = [] }) => calls)) : noCalls;
}

/**
 * Maximum number of letters in a short text, such as "ok then". Short texts are read together with the turns before
 * them.
 */
const shortLettersMax = 12;

/** Combined text of some utterances. `letters` is the number of letters, or any number above `shortLettersMax`. */
interface Words {
  readonly text: string;
  readonly letters: number;
}

/** Reads the words of each utterance only once, since an utterance may be as long as the whole body. */
class UtteranceReader {
  readonly #known = new Map<Utterance, Words>();

  readOne(said: Utterance): Words {
    let words = this.#known.get(said);
    if (words === undefined) {
      words = readWords(said);
      this.#known.set(said, words);
    }
    return words;
  }

  read(utterances: readonly Utterance[], isOf: (said: Utterance) => boolean): Words {
    let words = silence;
    for (let index = 0; index < utterances.length; index++) {
      const said = utterances[index];
      if (said && isOf(said)) words = join(words, this.readOne(said));
    }
    return words;
  }
}

function readWords({ content }: Utterance): Words {
  const text = extractText(content);
  const letters = countLetters(text, shortLettersMax + 1);
  // "Yes, continue with that" counts as one letter, so that the turns before it are read too.
  return { text, letters: letters > 0 && isContinuation(text) ? 1 : letters };
}

const lastResorts = ['guide', 'tool', 'model', 'definition'] as const;

/**
 * Returns the human text. While the text is too short, system text, tool results, model output and tool descriptions
 * are added in this order, because the model also receives them.
 */
function findJudged(
  utterances: readonly Utterance[],
  isWritten: (said: Utterance) => boolean,
  reader: UtteranceReader,
): string {
  let judged = findLast(utterances, isWritten, shortLettersMax, reader);
  for (const speaker of lastResorts) {
    if (judged.letters > shortLettersMax) break;
    judged = join(
      reader.read(utterances, (said) => said.speaker === speaker),
      judged,
    );
  }
  // Assistant text at the end is prefilled.
  const begun = utterances.slice(findTurnEnd(utterances, utterances.length));
  const { letters, text } = join(judged, reader.read(begun, isModel));
  return letters > 0 ? text : '';
}

/** Returns the fewest last turns that together have more than `lettersMax` letters. */
function findLast(
  utterances: readonly Utterance[],
  isOf: (said: Utterance) => boolean,
  lettersMax: number,
  reader: UtteranceReader,
): Words {
  let words = silence;
  let end = findTurnEnd(utterances, utterances.length);
  while (end > 0 && words.letters <= lettersMax) {
    const turn = findLastTurn(utterances, end);
    const said = reader.read(turn, isOf);
    if (said.letters > 0) words = join(said, words);
    end = findTurnEnd(utterances, end - turn.length);
  }
  return words;
}

/** All utterances between two model utterances form one turn. */
function findLastTurn(utterances: readonly Utterance[], before: number): readonly Utterance[] {
  const end = findTurnEnd(utterances, before);
  let start = end;
  while (start > 0 && utterances[start - 1]?.speaker !== 'model') start--;
  return utterances.slice(start, end);
}

function findTurnEnd(utterances: readonly Utterance[], before: number): number {
  let end = before;
  while (end > 0 && utterances[end - 1]?.speaker === 'model') end--;
  return end;
}

function cutAtLastHuman(utterances: readonly Utterance[], reader: UtteranceReader): readonly Utterance[] {
  const last = utterances.findLastIndex((said) => isHuman(said) && reader.readOne(said).letters > 0);
  const end = last === -1 ? utterances.findIndex(isModel) : last + 1;
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

/**
 * Number of characters counted in a loop before the slower regular expression is used. Most texts have enough letters
 * there.
 */
const startLength = 256;

/** Counts letters, at most up to `most`. The regular expression takes about a nanosecond per character. */
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

/** Also false for the `NaN` that `charCodeAt` returns beyond the end of a text. */
const isAscii = (code: number): boolean => code < 0x80;

function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
}
