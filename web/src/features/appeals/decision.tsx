import { Button } from '@mantine/core';
import type { Appeal } from '@sluice/contract';
import { useState } from 'react';
import { TextField } from '../../components/forms/text-field.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import styles from './list.module.css';
import { useDecideAppeal } from './queries.ts';

/** Default note to the user. */
const usualGrantNote = 'The block is lifted.';

/** Lifts a block, or leaves it for a reason that the person reads. */
export function AppealDecision({ appeal: { id, user_name } }: { appeal: Appeal }) {
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { mutate, isPending } = useDecideAppeal();
  const send = (decision: 'grant' | 'deny', text: string, told: string) => {
    if (isPending) return;
    mutate(
      { params: { id }, body: { decision, note: text } },
      {
        onSuccess: () => showSuccess(told),
        onError: (error) => showError(messageOf(error, 'The appeal was not decided')),
      },
    );
  };
  const deny = () => {
    const reason = note.trim();
    if (reason === '') return setProblem('Please give a reason for the denial');
    send('deny', reason, `The appeal of ${user_name} is denied`);
  };
  return (
    <div className={styles.decision}>
      <TextField
        className={styles.note}
        label="Note"
        placeholder={usualGrantNote}
        description={`Sent to ${user_name}. A denial needs a reason.`}
        value={note}
        error={problem}
        onChange={(event) => {
          setNote(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <div className={styles.actions}>
        <Button
          onClick={() => send('grant', note.trim() || usualGrantNote, `${user_name} is unblocked`)}
          aria-disabled={isPending}
        >
          Grant
        </Button>
        <Button variant="default" onClick={deny} aria-disabled={isPending}>
          Deny
        </Button>
      </div>
    </div>
  );
}
