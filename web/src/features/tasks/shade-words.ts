import type { IntentWord } from '@sluice/contract';

/** A stretch of a text: what spoke for the intent, what against it, or neither. */
export interface Stretch {
  readonly text: string;
  readonly voice: 'for' | 'against' | null;
}

/** Of the loudest word's weight; what says less is not worth a look. */
const audibleShare = 0.25;

/** A text cut where the words begin and end that decide what it was read as; the stretches add up to it. */
export function shadeWords(text: string, words: readonly IntentWord[]): Stretch[] {
  const stretches: Stretch[] = [];
  const loudest = Math.max(0, ...words.map(({ weight }) => Math.abs(weight)));
  const heard = words.filter(({ weight }) => Math.abs(weight) >= loudest * audibleShare);
  let end = 0;
  for (const word of heard.toSorted((one, other) => one.start - other.start)) {
    if (word.start < end) continue;
    stretches.push({ text: text.slice(end, word.start), voice: null });
    stretches.push({ text: text.slice(word.start, word.end), voice: word.weight > 0 ? 'for' : 'against' });
    end = word.end;
  }
  stretches.push({ text: text.slice(end), voice: null });
  return stretches.filter((stretch) => stretch.text !== '');
}
