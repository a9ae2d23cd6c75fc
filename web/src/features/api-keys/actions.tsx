import { Button } from '@mantine/core';
import type { ApiKeyStatus, User } from '@sluice/contract';
import { useState } from 'react';
import { useConfirm } from '../../components/ui/confirm.tsx';
import type { Question } from '../../components/ui/confirm-dialog.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { KeyDialog } from './key-dialog.tsx';
import styles from './panel.module.css';
import { useEndApiKeyOverlap, useRevokeApiKey } from './queries.ts';

interface KeyActionsProps {
  owner: Pick<User, 'id' | 'name'>;
  state: ApiKeyStatus;
  onSecret: (secret: string) => void;
}

/** Buttons to create, regenerate and revoke a key, each with a confirmation, and to end an overlap of two keys. */
export function KeyActions({ owner, state, onSecret }: KeyActionsProps) {
  const [isOpen, setOpen] = useState(false);
  const { isBusy, revoke, endOverlap } = useKeyActions(owner.id);
  const former = state.api_key_status?.is_active ? state.api_key_status : null;
  return (
    <div className={styles.actions}>
      <Button
        variant={former ? 'default' : 'filled'}
        aria-disabled={isBusy}
        onClick={() => !isBusy && setOpen(true)}
      >
        {former ? 'Regenerate' : 'Create API key'}
      </Button>
      {former && (
        <Button variant="default" className={styles.revoke} aria-disabled={isBusy} onClick={revoke.ask}>
          {revoke.isPending ? 'Revoking...' : 'Revoke'}
        </Button>
      )}
      {state.former_key && (
        <Button variant="default" className={styles.revoke} aria-disabled={isBusy} onClick={endOverlap.ask}>
          {endOverlap.isPending ? 'Ending...' : 'End the former key now'}
        </Button>
      )}
      <KeyDialog
        owner={owner}
        former={former}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onSecret={onSecret}
      />
    </div>
  );
}

function useKeyActions(userId: number) {
  const confirm = useConfirm();
  const revoke = useRevokeApiKey(userId);
  const endOverlap = useEndApiKeyOverlap(userId);
  const isBusy = revoke.isPending || endOverlap.isPending;
  const act = async (question: Question, run: () => Promise<unknown>, done: string, fallback: string) => {
    if (isBusy || !(await confirm(question))) return;
    await run().then(
      () => showSuccess(done),
      (error: unknown) => showError(messageOf(error, fallback)),
    );
  };
  return {
    isBusy,
    revoke: {
      isPending: revoke.isPending,
      ask: () =>
        act(revokeQuestion, () => revoke.mutateAsync(), 'API key revoked', 'Failed to revoke API key'),
    },
    endOverlap: {
      isPending: endOverlap.isPending,
      ask: () =>
        act(
          endQuestion,
          () => endOverlap.mutateAsync(),
          'The former API key has ended',
          'Failed to end the former API key',
        ),
    },
  };
}

const revokeQuestion: Question = {
  title: 'Revoke API key',
  message: 'This cannot be undone.',
  confirmLabel: 'Revoke API key',
  isDanger: true,
};

const endQuestion: Question = {
  title: 'End the former API key',
  message: 'Requests that still use it are refused at once. This cannot be undone.',
  confirmLabel: 'End it now',
  isDanger: true,
};
