import type { IntentName, IntentWord } from '@sluice/contract';
import { formatSigned } from '../../lib/format-number.ts';
import { findLoudest, shadeWords } from '../../lib/shade-words.ts';
import styles from './shaded-text.module.css';

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
