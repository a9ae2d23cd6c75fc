import { confirmTotpBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from '#components/forms/form.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { PasswordGate } from './password-gate.tsx';
import { newTotpQuery, useConfirmTotp } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './totp-dialog.module.css';

const QrCode = lazyPart(() => import('./qr-code.tsx'), 'QrCode', <div className={styles.blank} />);

interface TotpDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The first second factor also creates recovery codes. */
export function TotpDialog({ isOpen, onClose }: TotpDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add authenticator app">
      <PasswordGate>
        <TotpSteps onDone={onClose} />
      </PasswordGate>
    </Dialog>
  );
}

function TotpSteps({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const answer = useQuery(newTotpQuery);
  const failure = describeFailure(answer, 'The authenticator app could not be added');
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />;
  if (failure) return <Failure {...failure} />;
  if (!answer.data) return <SkeletonLines count={6} />;
  return (
    <ConfirmTotp
      {...answer.data}
      onConfirmed={(made) => {
        showSuccess('Authenticator app added. Your other sessions have ended.');
        if (made) setCodes(made);
        else onDone();
      }}
    />
  );
}

interface ConfirmTotpProps {
  otpauth_url: string;
  secret: string;
  onConfirmed: (codes: string[] | null) => void;
}

function ConfirmTotp({ otpauth_url: url, secret, onConfirmed }: ConfirmTotpProps) {
  const confirm = useConfirmTotp();
  const form = useContractForm({ schema: confirmTotpBody, initialValues: { code: '' } });
  return (
    <Form
      form={form}
      submitLabel="Add app"
      pendingLabel="Adding..."
      fallbackProblem="The code could not be checked"
      isGuarded={false}
      onSubmit={async ({ code }) => onConfirmed(await confirm.mutateAsync(code))}
    >
      <p>1. Scan this code with an authenticator app, or enter the key by hand.</p>
      <div className={styles.key}>
        <QrCode text={url} label="QR code for the authenticator app" />
        <div className={styles.manual}>
          <span className="quiet">Key</span>
          <code className={styles.secret}>{secret.match(/.{4}/g)?.join(' ')}</code>
          <CopyButton text={secret} label="Copy key" />
        </div>
      </div>
      <p>2. Enter the code that the app shows.</p>
      <TextField
        label="Code"
        placeholder="6 digits"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        data-autofocus
        autoFocus
        {...form.bind('code')}
      />
    </Form>
  );
}
