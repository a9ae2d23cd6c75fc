import { Loader } from '@mantine/core';
import fullPageSpinnerStyles from './full-page-spinner.module.css';
import styles from './skeleton.module.css';

interface SkeletonProps {
  width?: string;
  height?: string;
}

/** Placeholder for loading content. A parent must announce the loading in text or with `aria-busy`. */
export function Skeleton({ width = '100%', height = '0.75rem' }: SkeletonProps) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}

const lineWidths = ['92%', '78%', '86%', '64%'];

export function SkeletonLines({ count = 3 }: { count?: number }) {
  return (
    <span className={styles.lines} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
        <Skeleton key={index} width={lineWidths[index % lineWidths.length] ?? '100%'} />
      ))}
    </span>
  );
}

/** If `text` is absent, only screen readers are informed. */
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
