import type { ReactNode } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import styles from './passage.module.css';

interface LogPassageProps {
  title: 'Prompt' | 'Response';
  text: string | null;
  /** What is said where there is none. */
  missing: string;
  /** The text as it is to be shown, when not plain. */
  children?: ReactNode;
}

/** What was asked or answered, to read and to copy. */
export function LogPassage({ title, text, missing, children }: LogPassageProps) {
  return (
    <div className={styles.passage}>
      <div className={styles.head}>
        <h3>{title}</h3>
        {text ? <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} /> : null}
      </div>
      {text === null || text === '' ? (
        <p className={styles.none}>{text === null ? missing : 'Empty'}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={styles.text} tabIndex={0} aria-label={title}>
          {children ?? text}
        </section>
      )}
    </div>
  );
}
