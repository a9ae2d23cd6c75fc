import { vocabulary as frequentWords } from './prompts.ts';

export const promptVerbs = 'Explain,Refactor,Test,Document,Review,Translate,Summarize,Debug'.split(',');
/** Syllables of all other words. Each word has three syllables. */
const syllables =
  'con ter ing ment pro ver tion al is ed re per sub lo mar ni ka tor ve sa del ri mon ex in un cal ph sto gra ble ish ness ful or an es de di en lu mi no pa qua ro su ta ur vi wa xi yo ze ab bi co du fe go hu ja ke le'.split(
    ' ',
  );
/**
 * Scatters the ranks, so that neighboring words share no syllable. The value is odd, so that every word occurs
 * exactly once.
 */
const mixer = 40_503;

/** Number of words. Word frequency is inversely proportional to rank, as in natural language. */
export const wordCount = syllables.length ** 3;

/** The most frequent word has rank 0. */
export function wordOf(rank: number): string {
  const mixed = (rank * mixer) % wordCount;
  const places = [mixed & 63, (mixed >> 6) & 63, mixed >> 12];
  return frequentWords[rank] ?? places.map((place) => syllables[place]).join('');
}

const listOf = (words: readonly string[]) => words.map((word) => `'${word}'`).join();

/** Returns a PostgreSQL or ClickHouse expression for the word of a rank. Arrays start at 1 in both databases. */
function wordSql(rank: string, arrayOf: (items: string) => string, shift: (by: number) => string): string {
  const syllable = (by: number) => `(${arrayOf(listOf(syllables))})[1 + ${shift(by)}]`;
  const rare = [0, 6, 12].map(syllable).join(' || ');
  return `CASE WHEN ${rank} < ${frequentWords.length} THEN (${arrayOf(listOf(frequentWords))})[1 + ${rank}] ELSE ${rare} END`;
}

/** Returns a PostgreSQL expression for a random word. `uniform` is a number from 0 to below 1. */
export function randomWordInPostgres(uniform: string): string {
  const rank = `floor(exp(${uniform} * ln(${wordCount})) - 1)::int`;
  return `(SELECT ${wordSql(
    'rank',
    (items) => `ARRAY[${items}]`,
    (by) => `(rank::bigint * ${mixer} >> ${by} & 63)::int`,
  )} FROM (SELECT ${rank} AS rank) drawn)`;
}

/** ClickHouse definition of the function `word`, which returns the word for a number from 0 to below 1. */
export const randomWordInClickhouse = `(rank -> ${wordSql(
  'rank',
  (items) => `[${items}]`,
  (by) => `bitAnd(bitShiftRight(rank * ${mixer}, ${by}), 63)`,
)}) AS word_of, (uniform -> word_of(toUInt64(exp(uniform * ln(${wordCount})) - 1))) AS word`;
