import { isContinuation } from './continuation.ts';
import { listNewTexts, type NewText, type Utterance } from './new-texts.ts';
import { once } from './once.ts';
import { readSaidText } from './said-text.ts';

/** What a request asks for, as far as its words tell. */
export interface Asking {
  /** The text of the last human turn that says something. */
  readonly prompt: string | null;
  /** What the request is judged by; `null` for one without a word. */
  readonly judged: string | null;
  /** It ends in what tools have answered: nobody has asked anything since. */
  readonly isFollowUp: boolean;
  /** Returns all text that no model has answered yet, in whatever field, to be searched for what `judged` leaves out. */
  listNewTexts(): readonly NewText[];
}

/**
 * What a conversation asks for: its last human turn that says something. Human messages in a row are one turn, and so is
 * what stands in their place: a tool's result that answers no call, and the words with which a model is to begin.
 * `areCallsElsewhere`: the calls may stand in what the provider keeps.
 */
export function readAsking(utterances: readonly Utterance[], areCallsElsewhere = false): Asking {
  const readNewTexts = once(() => listNewTexts(utterances));
  const calls = new Set(utterances.flatMap(({ calls: made = [] }) => made));
  const isResult = ({ speaker, answers }: Utterance) =>
    speaker === 'tool' && (areCallsElsewhere || calls.has(answers));
  const isWritten = (said: Utterance) =>
    said.speaker === 'human' || (said.speaker === 'tool' && !isResult(said));
  const read = createReader();
  const turns = divideTurns(utterances);
  const last = turns.at(-1) ?? [];
  const endsInResults = last.some(isResult) && read(last.filter(isWritten)).letters === 0;
  const isHuman = ({ speaker }: Utterance) => speaker === 'human';
  const prompt = findLast(turns, isHuman, 0, read).text || read(utterances.filter(isHuman)).text.trim();
  if (endsInResults && areCallsElsewhere && prompt === '')
    return { prompt: null, judged: null, isFollowUp: true, listNewTexts: readNewTexts };
  // Up to the asking, so that each step of its loop is judged by the same words.
  const asked = endsInResults ? findJudged(cutAtLastHuman(utterances, read), isWritten, read) : '';
  const judged = asked || findJudged(utterances, isWritten, read);
  return {
    prompt: prompt || null,
    judged: judged || null,
    isFollowUp: asked !== '',
    listNewTexts: readNewTexts,
  };
}

/** No more than this many letters say next to nothing, as "go on", and are read with what stands before them. */
const shortLettersMax = 12;

/** The words of some utterances; `letters`: how many are in them, or a number above `shortLettersMax`. */
interface Words {
  readonly text: string;
  readonly letters: number;
}

type ReadWords = (utterances: readonly Utterance[]) => Words;

/** Reads each utterance once, however often it is asked for: one may be as long as a whole body. */
function createReader(): ReadWords {
  const known = new Map<Utterance, Words>();
  const readOne = (said: Utterance): Words => {
    const text = readSaidText(said.content);
    const letters = countLetters(text, shortLettersMax + 1);
    // Whoever only says "Yes, continue with that" asks for what stands before it.
    return { text, letters: letters > 0 && isContinuation(text) ? 1 : letters };
  };
  return (utterances) =>
    utterances.map((said) => known.getOrInsertComputed(said, readOne)).reduce(join, silence);
}

/**
 * The words of people go before those of guides, and these before all others: what stands only in a tool's result, in a
 * model's mouth or in the description of a tool is read by a model nonetheless.
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

/** The last turns that say more than `lettersMax` letters together, as few of them as it takes. */
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

/** What stands between two utterances of a model is one turn. */
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

/** Letters, digits and emoji; not those that nobody sees. */
const letters = /[[\p{L}\p{N}\p{So}]--[\u115F\u1160\u2800\u3164\uFFA0]]/gv;

/** Counts no further than to `most`. Most texts begin with enough letters of ASCII, for which nothing has to be looked up. */
function countLetters(text: string, most: number): number {
  let count = 0;
  for (let index = 0; count < most && isAscii(text.charCodeAt(index)); index++)
    if (isAsciiLetter(text.charCodeAt(index))) count++;
  if (count >= most) return count;
  count = 0;
  letters.lastIndex = 0;
  while (count < most && letters.test(text)) count++;
  return count;
}

/** False behind the end of a text too, where there is no code. */
const isAscii = (code: number): boolean => code < 0x80;

/** Letters and digits. */
function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
}
