import { Button } from '@mantine/core';
import { type IntentName, intentNames, type LogEntry } from '@sluice/contract';
import { useId, useState } from 'react';
import { SelectField } from '../../components/forms/select-field.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { formatLabel } from '../../lib/format-label.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './intent-correction.module.css';
import { useCorrectIntent } from './queries.ts';

/** Correction of a prompt's intent by an administrator. */
export function IntentCorrection({ log: { id, ...log } }: { log: LogEntry }) {
  const { mutate: correct, data: correction, isPending } = useCorrectIntent();
  const corrected = correction?.intent ?? log.corrected_intent;
  const known = corrected ?? intentNames.find((name) => name === log.intent_classification);
  const [chosen, setChosen] = useState<IntentName | undefined>(known);
  const explanationId = useId();
  const save = () => {
    if (chosen === undefined || chosen === known || isPending) return;
    correct(
      { params: { id }, body: { intent: chosen } },
      {
        onSuccess: ({ intent }) => showSuccess(`Corrected to ${intent}`),
        onError: (error) => showError(messageOf(error, 'The intent was not corrected')),
      },
    );
  };
  return (
    <div className={styles.correction}>
      <SelectField
        label="Correct the intent"
        className={styles.choice}
        value={chosen}
        options={intentNames.map((name) => ({ value: name, label: formatLabel(name) }))}
        aria-describedby={explanationId}
        onChange={(intent) => setChosen(intentNames.find((name) => name === intent))}
      />
      <Button variant="default" onClick={save} disabled={chosen === known} aria-disabled={isPending}>
        Correct
      </Button>
      <p id={explanationId} className={styles.text}>
        {corrected
          ? `Corrected to ${corrected}. The prompt will be used to train the next model. The log entry is unchanged.`
          : 'The prompt will be used to train the next model. The log entry and the score are unchanged.'}
      </p>
    </div>
  );
}
