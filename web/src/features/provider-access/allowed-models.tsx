import { Tooltip } from '@mantine/core';
import styles from './allowed-models.module.css';
import { splitModels } from './split-models.ts';

/** Models of a grant: up to three, else the first two and a count that shows the rest on hover and focus. */
export function AllowedModels({ models }: { models: readonly string[] }) {
  const { shown, more } = splitModels(models);
  return (
    <div className={styles.models}>
      {shown.map((model) => (
        <code key={model} className={styles.model} title={model}>
          {model}
        </code>
      ))}
      {more.length > 0 && (
        <Tooltip
          label={more.join(', ')}
          multiline
          maw="24rem"
          events={{ hover: true, focus: true, touch: true }}
        >
          <button type="button" className={`num ${styles.more}`}>
            +{more.length} more
          </button>
        </Tooltip>
      )}
    </div>
  );
}
