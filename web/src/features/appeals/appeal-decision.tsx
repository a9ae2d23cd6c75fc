import { Button } from '@mantine/core';
import type { Appeal } from '@sluice/contract';
import { useState } from 'react';
import { TextField } from '../../components/forms/text-field.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import styles from './appeal-list.module.css';
import { useDecideAppeal } from './appeals-queries.ts';

/** What the person reads when nothing else is said. */
const usualNotes = { grant: 'The block is lifted.', deny: 'The block stays.' } as const;

/** Lifts a block or leaves it, with a word to the person. */
export function AppealDecision({ appeal: { id, user_name } }: { appeal: Appeal }) {
  const [note, setNote] = useState('');
  const { mutate, isPending } = useDecideAppeal();
  const decide = (decision: 'grant' | 'deny') => {
    if (isPending) return;
    mutate(
      { params: { id }, body: { decision, note: note.trim() || usualNotes[decision] } },
      {
        onSuccess: () =>
          showSuccess(
            decision === 'grant' ? `${user_name} is unblocked` : `The appeal of ${user_name} is denied`,
          ),
        onError: (error) => showError(messageOf(error, 'The appeal was not decided')),
      },
    );
  };
  return (
    <div className={styles.decision}>
      <TextField
        className={styles.note}
        label="Note"
        placeholder={`${usualNotes.grant} / ${usualNotes.deny}`}
        description={`${user_name} reads it.`}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className={styles.acts}>
        <Button onClick={() => decide('grant')} aria-disabled={isPending}>
          Grant
        </Button>
        <Button variant="default" onClick={() => decide('deny')} aria-disabled={isPending}>
          Deny
        </Button>
      </div>
    </div>
  );
}
