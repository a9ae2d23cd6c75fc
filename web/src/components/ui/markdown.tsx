import { lazyPart } from '#lib/lazy-part.tsx';
import styles from './markdown.module.css';

interface MarkdownProps {
  text: string;
  /** Whether more text follows. The last block gets no code colors until the text is complete. */
  isGrowing?: boolean;
}

const MarkdownBlocks = lazyPart(() => import('./markdown-blocks.tsx'), 'MarkdownBlocks');

/** Untrusted Markdown. HTML is rendered as text, images are not loaded, and links open only web pages and email. */
export function Markdown(props: MarkdownProps) {
  return (
    <div className={styles.markdown}>
      <MarkdownBlocks {...props} fallback={<p className={styles.plain}>{props.text}</p>} />
    </div>
  );
}
