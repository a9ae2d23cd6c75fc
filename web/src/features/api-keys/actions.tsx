import { Button } from '@mantine/core';
import type { ApiKeyStatus, User } from '@sluice/contract';
import { useConfirm } from '../../components/ui/confirm.tsx';
import type { Question } from '../../components/ui/confirm-dialog.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import styles from './panel.module.css';
import { useCreateApiKey, useRegenerateApiKey, useRevokeApiKey } from './queries.ts';

interface KeyActionsProps {
  owner: Pick<User, 'id' | 'name'>;
  /** The newest key, whatever its state. */
  apiKey: ApiKeyStatus['api_key_status'];
  onSecret: (secret: string) => void;
}

/** Create, or regenerate and revoke, each after a question. */
export function KeyActions({ apiKey, ...props }: KeyActionsProps) {
  const { isBusy, create, regenerate, revoke } = useKeyActions(props);
  if (!apiKey?.is_active) {
    return (
      <div className={styles.actions}>
        <Button aria-disabled={isBusy} onClick={create.ask}>
          {create.isPending ? 'Creating...' : 'Create API key'}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.actions}>
      <Button variant="default" aria-disabled={isBusy} onClick={regenerate.ask}>
        {regenerate.isPending ? 'Regenerating...' : 'Regenerate'}
      </Button>
      <Button variant="default" className={styles.revoke} aria-disabled={isBusy} onClick={revoke.ask}>
        {revoke.isPending ? 'Revoking...' : 'Revoke'}
      </Button>
    </div>
  );
}

function useKeyActions({ owner, onSecret }: Omit<KeyActionsProps, 'apiKey'>) {
  const confirm = useConfirm();
  const create = useCreateApiKey(owner.id);
  const regenerate = useRegenerateApiKey(owner.id);
  const revoke = useRevokeApiKey(owner.id);
  const isBusy = create.isPending || regenerate.isPending || revoke.isPending;

  const act = async (question: Question, run: () => Promise<void>, fallback: string) => {
    if (isBusy || !(await confirm(question))) return;
    await run().catch((error: unknown) => showError(messageOf(error, fallback)));
  };
  const createKey = async () => onSecret((await create.mutateAsync()).api_key);
  const regenerateKey = async () => onSecret((await regenerate.mutateAsync()).api_key);
  const revokeKey = async () => {
    await revoke.mutateAsync();
    showSuccess('API key revoked');
  };
  return {
    isBusy,
    create: {
      isPending: create.isPending,
      ask: () => act(createQuestion(owner.name), createKey, 'Failed to create API key'),
    },
    regenerate: {
      isPending: regenerate.isPending,
      ask: () => act(regenerateQuestion, regenerateKey, 'Failed to regenerate API key'),
    },
    revoke: {
      isPending: revoke.isPending,
      ask: () => act(revokeQuestion, revokeKey, 'Failed to revoke API key'),
    },
  };
}

const createQuestion = (name: string): Question => ({
  title: 'Create API key',
  message: `Create an API key for ${name}?`,
  confirmLabel: 'Create API key',
});

const regenerateQuestion: Question = {
  title: 'Regenerate API key',
  message: 'This will revoke the current key and create a new one.',
  confirmLabel: 'Regenerate',
  isDanger: true,
};

const revokeQuestion: Question = {
  title: 'Revoke API key',
  message: 'This cannot be undone.',
  confirmLabel: 'Revoke API key',
  isDanger: true,
};
