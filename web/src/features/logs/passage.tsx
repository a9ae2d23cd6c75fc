import type { ReactNode } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import styles from './passage.module.css';

interface LogPassageProps {
  title: 'Prompt' | 'Response';
  text: string | null;
  /** Text shown if there is none. */
  missing: string;
  /** Formatted content. Default: the plain text. */
  children?: ReactNode;
}

/** Prompt or response, with a copy button. */
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className={styles.text} tabIndex={0} aria-label={title}>
          {children ?? text}
        </section>
      )}
    </div>
  );
}
