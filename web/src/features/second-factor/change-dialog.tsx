import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { PasswordGate } from './password-gate.tsx';
import { useRemovePasskey, useRemoveTotp, useRenewRecoveryCodes } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** `name` describes the changed object, for example `the passkey Laptop`. */
export type FactorChange =
  | { readonly kind: 'remove totp' | 'renew codes'; readonly name: string }
  | { readonly kind: 'remove passkey'; readonly id: number; readonly name: string };

interface FactorChangeDialogProps {
  change: FactorChange;
  isOpen: boolean;
  onClose: () => void;
}

/** Shows the recovery codes that a change creates. */
export function FactorChangeDialog({ change, isOpen, onClose }: FactorChangeDialogProps) {
  const title = change.kind === 'renew codes' ? 'Create new recovery codes' : `Remove ${change.name}`;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} size="sm">
      <PasswordGate>
        <ConfirmChange change={change} onDone={onClose} />
      </PasswordGate>
    </Dialog>
  );
}

function ConfirmChange({ change, onDone }: { change: FactorChange; onDone: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const send = useSendChange(change);
  const apply = useMutation({
    mutationFn: send,
    onSuccess: (made) => {
      if (made) return setCodes(made);
      showSuccess(`Removed ${change.name}. Your other sessions have ended.`);
      onDone();
    },
  });
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />;
  const isRenewal = change.kind === 'renew codes';
  return (
    <>
      <p>
        {isRenewal
          ? 'Your current recovery codes stop working, and your other sessions end.'
          : 'You can no longer sign in with it, and your other sessions end. If it is your last second factor, your account is protected only by your password.'}
      </p>
      <div role="alert">
        {apply.isError && (
          <StatusMark kind="bad">{messageOf(apply.error, 'The change could not be made')}</StatusMark>
        )}
      </div>
      <DialogFooter>
        <Button variant="default" data-autofocus onClick={onDone}>
          Cancel
        </Button>
        <Button
          color={isRenewal ? 'petrol' : 'danger'}
          aria-disabled={apply.isPending}
          onClick={() => !apply.isPending && apply.mutate()}
        >
          {isRenewal ? 'Create new codes' : 'Remove'}
        </Button>
      </DialogFooter>
    </>
  );
}

function useSendChange(change: FactorChange): () => Promise<string[] | null> {
  const removeTotp = useRemoveTotp();
  const removePasskey = useRemovePasskey();
  const renewCodes = useRenewRecoveryCodes();
  if (change.kind === 'remove passkey') return () => removePasskey.mutateAsync(change.id);
  return () => (change.kind === 'remove totp' ? removeTotp : renewCodes).mutateAsync(undefined);
}
