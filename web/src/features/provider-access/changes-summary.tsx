import styles from './changes-summary.module.css';
import { compareModels } from './split-models.ts';

interface ChangesSummaryProps {
  before: readonly string[];
  after: readonly string[];
}

/** Models that saving would add and remove. */
export function ChangesSummary({ before, after }: ChangesSummaryProps) {
  const { added, removed } = compareModels(before, after);
  return (
    <section className={styles.summary} aria-label="Changes Summary" aria-live="polite">
      <h3>Changes Summary</h3>
      {added.length === 0 && removed.length === 0 && <p className={styles.none}>No changes</p>}
      {added.length > 0 && <Change word="Added" sign="+" models={added} className={styles.added} />}
      {removed.length > 0 && <Change word="Removed" sign="−" models={removed} className={styles.removed} />}
    </section>
  );
}

interface ChangeProps {
  word: string;
  sign: string;
  models: readonly string[];
  className: string | undefined;
}

function Change({ word, sign, models, className }: ChangeProps) {
  return (
    <div className={styles.change}>
      <span className="num">
        {word} ({models.length})
      </span>
      <ul className={styles.models}>
        {models.map((model) => (
          <li key={model} className={`${styles.model} ${className}`}>
            <span aria-hidden="true">{sign}</span> {model}
          </li>
        ))}
      </ul>
    </div>
  );
}
