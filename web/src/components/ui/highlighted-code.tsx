import { lazy, Suspense } from 'react';
import styles from './highlighted-code.module.css';

/** Loads the tokenizer with the first code block. If loading fails, code has no colors. */
const Tokens = lazy(() =>
  import('#lib/tokenize-code.ts').then(
    ({ tokenizeCode }) => ({
      default: function Tokens({ text, language }: HighlightedCodeProps) {
        return (
          tokenizeCode(text, language)?.map(({ type, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the tokens are in the order of the code
            <span key={index} className={styles[type]}>
              {value}
            </span>
          )) ?? text
        );
      },
    }),
    () => ({ default: ({ text }: HighlightedCodeProps) => text }),
  ),
);

interface HighlightedCodeProps {
  text: string;
  /** Unknown languages have no colors. */
  language: string;
}

/** Code with syntax colors. Rendered as text nodes only, never as HTML. */
export function HighlightedCode(props: HighlightedCodeProps) {
  return (
    <Suspense fallback={props.text}>
      <Tokens {...props} />
    </Suspense>
  );
}
