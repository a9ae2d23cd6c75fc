import type { IntentName, taskCategories } from '@sluice/contract';
import type { SignalValues } from './signals.ts';

type TaskWords = ReadonlySet<string>;

/** Number of words shared with the task that makes a prompt fully on topic. */
const sharedWordsEnough = 2;
/**
 * Minimum number of words for a comparison. Shorter texts, such as brief replies or a task with only a title, are not
 * compared.
 */
const wordsMin = 5;
const wordLengthMin = 4;
/** Maximum number of words read from a prompt. The first words reveal its topic. */
const promptWordsMax = 40;
const stemLength = 6;

const commonStems = new Set(
  `about above after again also always another because before being below between both cannot could create does doing
  down each every example explain false from give have help here into just know like list look made make many more most
  much must need never only other over please same should show since some such take tell than that their them then there
  these they thing this those through true under until using very want well were what when where which while will with
  without work would write your`
    .split(/\s+/)
    .map(toStem),
);

export function readTaskWords(title: string, description: string): TaskWords {
  return new Set(listStems(`${title} ${description}`));
}

/**
 * Returns the distance between the wording of a prompt and its task: 0 if they share enough words or a text is too
 * short, 1 if they share no words.
 */
function compareWording(prompt: string, taskWords: TaskWords): number {
  if (taskWords.size < wordsMin) return 0;
  const stems = new Set<string>();
  let shared = 0;
  for (const stem of listStems(prompt, promptWordsMax)) {
    if (stems.has(stem)) continue;
    stems.add(stem);
    if (taskWords.has(stem) && ++shared === sharedWordsEnough) return 0;
  }
  return stems.size < wordsMin ? 0 : 1 - shared / sharedWordsEnough;
}

/** Operates on code units for speed, because every prompt is read. All non-ASCII units count as letters. */
function listStems(text: string, wordsMax = Number.POSITIVE_INFINITY): string[] {
  const stems: string[] = [];
  let start = 0;
  for (let index = 0; index <= text.length && stems.length < wordsMax; index++) {
    if (isWordUnit(text.charCodeAt(index))) continue;
    if (index - start >= wordLengthMin) {
      const stem = toStem(text.slice(start, index));
      if (!commonStems.has(stem)) stems.push(stem);
    }
    start = index + 1;
  }
  return stems;
}

function isWordUnit(unit: number): boolean {
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit >= 0x80;
}

// Returns the beginning of a word, which is the same for its forms: "invoice", "invoices" and "invoicing" have the
// same stem.
function toStem(word: string): string {
  return word.slice(0, stemLength).toLowerCase();
}

export interface JudgedTask {
  readonly category: (typeof taskCategories)[number];
  readonly words: TaskWords;
}

interface DescribedTask extends Pick<JudgedTask, 'category'> {
  readonly title: string;
  readonly description: string;
  /** Whether the task covers all requests of its user, in which case wording is not compared. */
  readonly isApiAccess: boolean;
}

export function readJudgedTask({ category, title, description, isApiAccess }: DescribedTask): JudgedTask {
  return { category, words: isApiAccess ? new Set() : readTaskWords(title, description) };
}

/**
 * Returns the signals of a prompt. Off-topic prompts also deviate from the category of their task. Tasks of category
 * `other` allow any work and therefore have no category signal.
 */
export function judgePrompt(
  prompt: string,
  { intent, confidence }: { readonly intent: IntentName; readonly confidence: number },
  task: JudgedTask | null,
): SignalValues {
  const hasCategory = task !== null && task.category !== 'other';
  return {
    off_topic: intent === 'off_topic' ? confidence : 0,
    category: hasCategory && intent !== task.category ? confidence : 0,
    wording: task ? compareWording(prompt, task.words) : 0,
  };
}
