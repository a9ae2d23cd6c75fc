import type { IntentReading } from '@sluice/contract';
import { formatLabel } from '../../lib/format-label.ts';
import { formatShare, formatSigned } from '../../lib/format-number.ts';
import styles from './intent-reasons.module.css';
import { findStrongestWords } from './strongest-words.ts';

const shownMax = 6;

/** Words with the largest weights for or against an intent. */
export function IntentReasons({ reading: { intent, probabilities, words } }: { reading: IntentReading }) {
  const strongest = findStrongestWords(words, shownMax);
  const [next] = Object.entries(probabilities)
    .filter(([name]) => name !== intent)
    .sort(([, one], [, other]) => other - one);
  return (
    <>
      <p className={styles.text}>
        {strongest.length === 0
          ? `No single word pushed it to ${formatLabel(intent)}.`
          : `Words that pushed it to ${formatLabel(intent)}: brown toward, blue away. They are shaded in the prompt above.`}
        {next && ` Next likely: ${formatLabel(next[0])}, ${formatShare(next[1])}.`}
      </p>
      <ol className={styles.words} aria-label="Strongest words">
        {strongest.map(({ text, weight }) => (
          <li key={text} className={weight > 0 ? styles.speaksFor : styles.speaksAgainst}>
            <span className={styles.word}>{text}</span> <span className="num">{formatSigned(weight)}</span>
            <span className="visually-hidden">{weight > 0 ? ' toward it' : ' away from it'}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
