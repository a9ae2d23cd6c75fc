import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import styles from './confirm-dialog.module.css';
import { Dialog, DialogFooter } from './dialog.tsx';
import { type InUse, RecentUse } from './recent-use.tsx';

export interface Question {
  title: string;
  /** Consequences of the action. */
  message?: ReactNode;
  /** Label of the confirm button, for example `Revoke key`. */
  confirmLabel: string;
  cancelLabel?: string;
  /** Whether the action is destructive. The button is then red and does not get the initial focus. */
  isDanger?: boolean;
  /** Object whose recent use the dialog shows. */
  inUse?: InUse;
  /** Text that the user must type to confirm. Set for actions that cannot be undone. */
  typeToConfirm?: string;
}

interface ConfirmDialogProps {
  question: Question;
  isOpen: boolean;
  onAnswer: (isAgreed: boolean) => void;
}

export function ConfirmDialog({ question, isOpen, onAnswer }: ConfirmDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={() => onAnswer(false)} title={question.title} size="sm">
      <ConfirmForm question={question} onAnswer={onAnswer} />
    </Dialog>
  );
}

function ConfirmForm({ question, onAnswer }: Omit<ConfirmDialogProps, 'isOpen'>) {
  const { message, inUse, confirmLabel, cancelLabel = 'Cancel', isDanger = false, typeToConfirm } = question;
  const [typed, setTyped] = useState('');
  const isReady = typeToConfirm === undefined || typed.trim() === typeToConfirm;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onAnswer(true);
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      {message !== undefined && <div className={styles.message}>{message}</div>}
      {inUse && <RecentUse {...inUse} />}
      {typeToConfirm !== undefined && (
        <TextInput
          label={
            <>
              Type <code>{typeToConfirm}</code> to confirm
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      <DialogFooter>
        <Button
          variant="default"
          onClick={() => onAnswer(false)}
          data-autofocus={isDanger && typeToConfirm === undefined ? true : undefined}
        >
          {cancelLabel}
        </Button>
        <Button
          type="submit"
          color={isDanger ? 'danger' : 'petrol'}
          disabled={!isReady}
          data-autofocus={isDanger ? undefined : true}
        >
          {confirmLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}
