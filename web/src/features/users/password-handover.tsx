import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { PasswordField } from '../../components/ui/password-field.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import styles from './set-password-dialog.module.css';

/** A password that was just set, in the only moment in which it can be seen. */
export function PasswordHandover({ password, onDone }: { password: string; onDone: () => void }) {
  // The button that set it is gone, and the focus with it.
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  return (
    <section ref={section} className={styles.handover} aria-label="Password set" tabIndex={-1}>
      <p className={styles.warning}>
        <StatusMark kind="warn">
          The password is set. It is shown only here and only now: copy it and hand it over safely.
        </StatusMark>
      </p>
      <PasswordField label="New password" value={password} readOnly autoComplete="off" />
      <div className={styles.actions}>
        <CopyButton text={password} label="Copy password" />
        <Button onClick={onDone}>Done</Button>
      </div>
    </section>
  );
}
