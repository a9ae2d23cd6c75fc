import type { DeviationPolicy } from '@sluice/contract';
import type { ReactNode } from 'react';
import styles from './form.module.css';
import { useSaveSettings } from './queries.ts';

interface PolicySectionProps {
  /** Policy form, passed in by the page because it belongs to another feature. */
  form: (save: (policy: DeviationPolicy) => Promise<unknown>) => ReactNode;
}

export function PolicySection({ form }: PolicySectionProps) {
  const { mutateAsync: save } = useSaveSettings();
  return (
    <section className={`${styles.section} ${styles.form}`} aria-labelledby="deviation-policy">
      <div>
        <h2 id="deviation-policy">Deviation policy</h2>
        <p className={styles.text}>
          Each request moves its user’s score between 0 (on task) and 1. The score halves every seven days.
          Each change is explained on the request.
        </p>
      </div>
      <div className={styles.fields}>{form((policy) => save({ deviation_policy: policy }))}</div>
    </section>
  );
}
