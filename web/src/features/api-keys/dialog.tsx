import { Button } from '@mantine/core';
import type { ApiKeyStatus, User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfirm } from '#components/ui/confirm.tsx';
import type { Question } from '#components/ui/confirm-dialog.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { KeyDialog } from './key-dialog.tsx';
import { KeysOfUser } from './named-keys.tsx';
import { NewKey } from './new-key.tsx';
import styles from './panel.module.css';
import { apiKeyQuery, useEndApiKeyOverlap, useRevokeApiKey } from './queries.ts';
import { ApiKeyState } from './state.tsx';

interface KeyActionsProps {
  owner: Pick<User, 'id' | 'name'>;
  state: ApiKeyStatus;
  onSecret: (secret: string) => void;
}

/** Each change is confirmed in a dialog. */
function KeyActions({ owner, state, onSecret }: KeyActionsProps) {
  const [isOpen, setOpen] = useState(false);
  const { isBusy, revoke, endOverlap } = useKeyActions(owner);
  const former = state.api_key_status?.is_active ? state.api_key_status : null;
  const overlapping = state.former_key;
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
        <Button
          variant="default"
          className={styles.revoke}
          aria-disabled={isBusy}
          onClick={() => revoke.ask(former.id)}
        >
          {revoke.isPending ? 'Revoking...' : 'Revoke'}
        </Button>
      )}
      {overlapping && (
        <Button
          variant="default"
          className={styles.revoke}
          aria-disabled={isBusy}
          onClick={() => endOverlap.ask(overlapping.id)}
        >
          {endOverlap.isPending ? 'Ending...' : 'Revoke the previous key now'}
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

function useKeyActions({ id: userId, name }: Pick<User, 'id' | 'name'>) {
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
      ask: (keyId: number) =>
        act(
          askToRevoke(keyId, name),
          () => revoke.mutateAsync(),
          'API key revoked',
          'Failed to revoke API key',
        ),
    },
    endOverlap: {
      isPending: endOverlap.isPending,
      ask: (keyId: number) =>
        act(
          askToEnd(keyId, name),
          () => endOverlap.mutateAsync(),
          'Previous API key revoked',
          'Failed to revoke the previous API key',
        ),
    },
  };
}

const askToRevoke = (keyId: number, owner: string): Question => ({
  title: 'Revoke API key',
  message: 'This cannot be undone.',
  inUse: { of: { api_key_id: keyId }, owner },
  confirmLabel: 'Revoke API key',
  isDanger: true,
});

const askToEnd = (keyId: number, owner: string): Question => ({
  title: 'Revoke the previous API key',
  message: 'Requests that still use it will be rejected immediately. This cannot be undone.',
  inUse: { of: { api_key_id: keyId }, owner },
  confirmLabel: 'Revoke it now',
  isDanger: true,
});

interface ApiKeyDialogProps {
  owner: Pick<User, 'id' | 'name'>;
  mayChange: boolean;
  isOpen: boolean;
  onClose: () => void;
}

export function ApiKeyDialog({ owner, mayChange, isOpen, onClose }: ApiKeyDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`API key of ${owner.name}`}>
      <ApiKeyPanel owner={owner} mayChange={mayChange} />
    </Dialog>
  );
}

interface ApiKeyPanelProps {
  owner: Pick<User, 'id' | 'name'>;
  mayChange: boolean;
}

/** A new key's secret is shown until the user confirms that it is stored. */
function ApiKeyPanel({ owner, mayChange }: ApiKeyPanelProps) {
  const { data: state } = useQuery(apiKeyQuery(owner.id));
  const [secret, setSecret] = useState<string | null>(null);

  if (secret !== null) return <NewKey secret={secret} onStored={() => setSecret(null)} />;
  return (
    <div className={styles.panel}>
      <ApiKeyState userId={owner.id} />
      {state && mayChange && <KeyActions owner={owner} state={state} onSecret={setSecret} />}
      <KeysOfUser userId={owner.id} mayChange={mayChange} />
    </div>
  );
}
