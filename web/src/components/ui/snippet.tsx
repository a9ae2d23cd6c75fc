import { CopyButton } from './copy-button.tsx';
import { HighlightedCode } from './highlighted-code.tsx';
import styles from './snippet.module.css';

interface SnippetProps {
  /** Title: `Shell`. */
  title: string;
  text: string;
  /** Language for syntax colors. Default: none. */
  language?: string | undefined;
  onCopied?: () => void;
}

/** A piece of text to run elsewhere. */
export function Snippet({ title, text, language, onCopied }: SnippetProps) {
  return (
    <figure className={styles.snippet}>
      <figcaption className={styles.caption}>
        {title}
        <CopyButton text={text} label={`Copy ${title}`} onCopied={onCopied} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre className={styles.text} tabIndex={0}>
        <code>{language ? <HighlightedCode text={text} language={language} /> : text}</code>
      </pre>
    </figure>
  );
}
