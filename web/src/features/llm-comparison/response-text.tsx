import { useMemo } from 'react';
import styles from './results.module.css';
import { findDifferences, type Passage, wordsMax } from './word-differences.ts';

interface ResponseTextProps {
  text: string;
  model: string;
  /** Another model's response to show differences from. */
  base: string | null;
}

export function ResponseText({ text, model, base }: ResponseTextProps) {
  const passages = useMemo(() => (base === null ? null : findDifferences(base, text)), [base, text]);
  return (
    <>
      {base !== null && passages === null && (
        <p className="quiet">Differences are shown up to {wordsMax} words.</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys, too */}
      <section className={styles.text} aria-label={`Response of ${model}`} tabIndex={0}>
        {passages === null ? text : passages.map(drawPassage)}
      </section>
    </>
  );
}

function drawPassage({ kind, text }: Passage, index: number) {
  // A passage is nothing but its place.
  if (kind === 'added') return <ins key={index}>{text}</ins>;
  return kind === 'removed' ? <del key={index}>{text}</del> : text;
}
