import type { IntentName, IntentWord } from '@sluice/contract';
import { formatSigned } from '#lib/format-number.ts';
import styles from './shaded-text.module.css';

/**
 * Part of a text. `weight` is positive if the part supported the intent, negative if it opposed the intent, and 0
 * otherwise.
 */
export interface TextPart {
  readonly text: string;
  readonly weight: number;
}

/** Minimum weight of a shaded word, as a share of the largest weight. */
const shadedShareMin = 0.25;

/** Splits a text at the boundaries of the weighted words. The concatenated parts equal the text. */
export function shadeWords(text: string, words: readonly IntentWord[]): TextPart[] {
  const parts: TextPart[] = [];
  const largest = findLargestWeight(words);
  const shaded = words.filter(({ weight }) => Math.abs(weight) >= largest * shadedShareMin);
  let end = 0;
  for (const { start, end: wordEnd, weight } of shaded.toSorted((one, other) => one.start - other.start)) {
    if (start < end) continue;
    parts.push({ text: text.slice(end, start), weight: 0 });
    parts.push({ text: text.slice(start, wordEnd), weight });
    end = wordEnd;
  }
  parts.push({ text: text.slice(end), weight: 0 });
  return parts.filter((part) => part.text !== '');
}

function findLargestWeight(words: readonly { readonly weight: number }[]): number {
  return words.reduce((largest, { weight }) => Math.max(largest, Math.abs(weight)), 0);
}

const deepestShadePercent = 32;

interface ShadedTextProps {
  text: string;
  words: readonly IntentWord[];
  /** Each word supports or opposes the intent. */
  intent: IntentName;
}

/** Text whose words are shaded by their contribution to the classified intent. */
export function ShadedText({ text, words, intent }: ShadedTextProps) {
  const largest = findLargestWeight(words);
  return shadeWords(text, words).map(({ text: piece, weight }, index) => {
    if (weight === 0) return piece;
    const shade = Math.ceil((Math.abs(weight) / largest) * deepestShadePercent);
    return (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are in the order of the text
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
