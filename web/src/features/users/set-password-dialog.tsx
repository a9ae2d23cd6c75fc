import { Button } from '@mantine/core';
import { changeOwnPasswordBody, setPasswordBody, type User } from '@sluice/contract';
import { useState } from 'react';
import { Form } from '#components/forms/form.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { FocusedSection } from '#components/ui/focused-section.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { useChangeOwnPassword, useSetPassword } from './queries.ts';
import styles from './set-password-dialog.module.css';

/** Letters and digits that cannot be mistaken for each other. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const groupCount = 4;
const groupLength = 5;

/** Generates a password with 116 random bits, in groups that are easy to read out: `Kf7wn-...`. */
export function generatePassword(): string {
  return Array.from({ length: groupCount }, pickGroup).join('-');
}

function pickGroup(): string {
  return Array.from({ length: groupLength }, pickCharacter).join('');
}

/**
 * Returns a random character. Bytes above the last multiple of the alphabet's length are discarded, because they
 * would favor its first characters.
 */
function pickCharacter(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  const wholeAlphabets = 256 - (256 % alphabet.length);
  return byte < wholeAlphabets ? alphabet.charAt(byte % alphabet.length) : pickCharacter();
}

interface SetPasswordDialogProps {
  user: User;
  isSelf: boolean;
  isOpen: boolean;
  onClose: () => void;
}

export function SetPasswordDialog({ isOpen, onClose, ...props }: SetPasswordDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Set password of ${props.user.name}`} size="sm">
      <SetPassword {...props} onClose={onClose} />
    </Dialog>
  );
}

function SetPassword({ user, isSelf, onClose }: Omit<SetPasswordDialogProps, 'isOpen'>) {
  const [password, setPassword] = useState<string | null>(null);
  if (isSelf) return <OwnPasswordForm onSet={onClose} />;
  if (password !== null) return <PasswordHandover password={password} onDone={onClose} />;
  return <SetPasswordForm user={user} onSet={setPassword} />;
}

function SetPasswordForm({ user, onSet }: { user: User; onSet: (password: string) => void }) {
  const change = useSetPassword();
  const form = useContractForm({ schema: setPasswordBody, initialValues: { password: '' } });
  return (
    <Form
      form={form}
      submitLabel="Set password"
      pendingLabel="Setting Password..."
      isGuarded={false}
      onSubmit={async (body) => {
        await change.mutateAsync({ params: { id: user.id }, body });
        onSet(body.password);
      }}
    >
      <p className="quiet">This ends all sessions of the user, who then signs in with the new password.</p>
      <div className={styles.password}>
        <PasswordField
          label="Password"
          placeholder="Min. 6 characters"
          autoComplete="new-password"
          data-autofocus
          {...form.bind('password')}
        />
        <Button
          className={styles.generate}
          variant="default"
          onClick={() => form.setValue('password', generatePassword())}
        >
          Generate
        </Button>
      </div>
    </Form>
  );
}

/** The password is shown only once. */
function PasswordHandover({ password, onDone }: { password: string; onDone: () => void }) {
  return (
    <FocusedSection label="Password set">
      <Notice
        kind="warn"
        title="The password is set. It is shown only once. Copy it and send it to the user over a secure channel."
      />
      <PasswordField label="New password" value={password} readOnly autoComplete="off" />
      <div className={styles.actions}>
        <CopyButton text={password} label="Copy password" />
        <Button onClick={onDone}>Done</Button>
      </div>
    </FocusedSection>
  );
}

/** Requires the current password. This session remains signed in. */
function OwnPasswordForm({ onSet }: { onSet: () => void }) {
  const change = useChangeOwnPassword();
  const form = useContractForm({
    schema: changeOwnPasswordBody,
    initialValues: { current_password: '', new_password: '' },
  });
  return (
    <Form
      form={form}
      submitLabel="Set password"
      pendingLabel="Setting Password..."
      isGuarded={false}
      onSubmit={async (body) => {
        await change.mutateAsync(body);
        showSuccess('Password changed successfully!');
        onSet();
      }}
    >
      <p className="quiet">You stay signed in here. All your other sessions end.</p>
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        {...form.bind('current_password')}
      />
      <PasswordField
        label="New password"
        placeholder="Min. 6 characters"
        autoComplete="new-password"
        {...form.bind('new_password')}
      />
    </Form>
  );
}
