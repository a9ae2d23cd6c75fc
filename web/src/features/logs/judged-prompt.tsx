import type { IntentReading } from '@sluice/contract';
import { divideByWords } from './divide-by-words.ts';
import styles from './judged-prompt.module.css';
import { signed } from './log-text.ts';

const deepestShade = 32;
/** A word below this part of the strongest is not told apart from the text. */
const faintest = 0.05;

interface JudgedPromptProps {
  text: string;
  reading: IntentReading;
}

/** A prompt whose words are shaded by what they said about its intent. */
export function JudgedPrompt({ text, reading: { intent, words } }: JudgedPromptProps) {
  const strongest = Math.max(...words.map(({ weight }) => Math.abs(weight)), 0);
  return divideByWords(text, words).map(({ start, text: piece, weight = 0 }) => {
    const share = strongest === 0 ? 0 : Math.abs(weight) / strongest;
    if (share < faintest) return piece;
    return (
      <mark
        key={start}
        className={weight > 0 ? styles.speaksFor : styles.speaksAgainst}
        style={{
          backgroundColor: `color-mix(in srgb, var(--tone) ${Math.ceil(share * deepestShade)}%, transparent)`,
        }}
        title={`${signed(weight)} ${weight > 0 ? 'for' : 'against'} ${intent}`}
      >
        {piece}
      </mark>
    );
  });
}
