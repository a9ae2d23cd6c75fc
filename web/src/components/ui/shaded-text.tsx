import type { IntentName, IntentWord } from '@sluice/contract';
import { formatSigned } from '#lib/format-number.ts';
import styles from './shaded-text.module.css';

/** A piece of a text; `weight` is above 0 where it spoke for the intent, below where against it, 0 where neither. */
export interface Stretch {
  readonly text: string;
  readonly weight: number;
}

/** Words below this share of the largest weight are not shaded. */
const audibleShare = 0.25;

/** A text cut where the words begin and end that decide what it was read as; the stretches add up to it. */
export function shadeWords(text: string, words: readonly IntentWord[]): Stretch[] {
  const stretches: Stretch[] = [];
  const loudest = findLoudest(words);
  const heard = words.filter(({ weight }) => Math.abs(weight) >= loudest * audibleShare);
  let end = 0;
  for (const { start, end: wordEnd, weight } of heard.toSorted((one, other) => one.start - other.start)) {
    if (start < end) continue;
    stretches.push({ text: text.slice(end, start), weight: 0 });
    stretches.push({ text: text.slice(start, wordEnd), weight });
    end = wordEnd;
  }
  stretches.push({ text: text.slice(end), weight: 0 });
  return stretches.filter((stretch) => stretch.text !== '');
}

/** How much the word weighs that says most. */
function findLoudest(words: readonly { readonly weight: number }[]): number {
  return words.reduce((loudest, { weight }) => Math.max(loudest, Math.abs(weight)), 0);
}

const deepestShadePercent = 32;

interface ShadedTextProps {
  text: string;
  words: readonly IntentWord[];
  /** Classified intent, which each word supports or opposes. */
  intent: IntentName;
}

/** A text whose words are shaded by how much they decided its intent. */
export function ShadedText({ text, words, intent }: ShadedTextProps) {
  const loudest = findLoudest(words);
  return shadeWords(text, words).map(({ text: piece, weight }, index) => {
    if (weight === 0) return piece;
    const shade = Math.ceil((Math.abs(weight) / loudest) * deepestShadePercent);
    return (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: the stretches are in the order of the text
        key={index}
        className={weight > 0 ? styles.speaksFor : styles.speaksAgainst}
        style={{ backgroundColor: `color-mix(in srgb, var(--tone) ${shade}%, transparent)` }}
        title={`${formatSigned(weight)} ${weight > 0 ? 'for' : 'against'} ${intent}`}
      >
        {piece}
      </mark>
    );
  });
}
