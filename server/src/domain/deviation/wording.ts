/** The words that a task is described in, by their stems. */
export type TaskWords = ReadonlySet<string>;

/** What shares this many words with its task is about it. */
const sharedWordsEnough = 2;
/** Fewer words than this say nothing, as in "go on" or in a task that is only named. */
const wordsMin = 5;
const wordLengthMin = 4;
/** What a prompt is about shows in its first words. */
const promptWordsMax = 40;
const stemLength = 6;

/** Also what any request of any kind says. */
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

/** How far a prompt's wording is from that of its task: 0 when they share words or too little is said, 1 when none. */
export function compareWording(prompt: string, taskWords: TaskWords): number {
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

/** By code units, since this reads every prompt: what is not ASCII counts as a letter. */
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

// Forms of one word begin alike: "invoice", "invoices" and "invoicing" meet.
function toStem(word: string): string {
  return word.slice(0, stemLength).toLowerCase();
}
