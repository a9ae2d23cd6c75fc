import { Loader } from '@mantine/core';
import fullPageSpinnerStyles from './full-page-spinner.module.css';
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** CSS sizes of the expected content, so that the layout does not shift when it arrives. */
  width?: string;
  height?: string;
}

/** Placeholder for loading content. Its parent announces the loading in text or by `aria-busy`. */
export function Skeleton({ width = '100%', height = '0.75rem' }: SkeletonProps) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}

const lineWidths = ['92%', '78%', '86%', '64%'];

/** Placeholder of a text. */
export function SkeletonLines({ count = 3 }: { count?: number }) {
  return (
    <span className={styles.lines} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity than their position
        <Skeleton key={index} width={lineWidths[index % lineWidths.length] ?? '100%'} />
      ))}
    </span>
  );
}

/**
 * Full-page loading indicator. `text` is shown below it; if absent, the loading is announced to screen readers only.
 */
export function FullPageSpinner({ text }: { text?: string }) {
  return (
    <div className={fullPageSpinnerStyles.page} role="status">
      <Loader size="sm" aria-hidden />
      <span className={text === undefined ? 'visually-hidden' : fullPageSpinnerStyles.text}>
        {text ?? 'Loading'}
      </span>
    </div>
  );
}
