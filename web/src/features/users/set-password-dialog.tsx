import { Button } from '@mantine/core';
import { setPasswordBody, type User } from '@sluice/contract';
import { useState } from 'react';
import { Form } from '../../components/forms/form.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { PasswordField } from '../../components/ui/password-field.tsx';
import { generatePassword } from './generate-password.ts';
import { OwnPasswordForm } from './own-password-form.tsx';
import { PasswordHandover } from './password-handover.tsx';
import { useSetPassword } from './queries.ts';
import styles from './set-password-dialog.module.css';

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
      submitLabel="Set Password"
      pendingLabel="Setting Password..."
      isGuarded={false}
      onSubmit={async (body) => {
        await change.mutateAsync({ params: { id: user.id }, body });
        onSet(body.password);
      }}
    >
      <p className="quiet">All sessions of this user end. The user then signs in with the new password.</p>
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
