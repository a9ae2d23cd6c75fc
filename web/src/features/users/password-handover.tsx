import { Button } from '@mantine/core';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { FocusedSection } from '../../components/ui/focused-section.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { PasswordField } from '../../components/ui/password-field.tsx';
import styles from './set-password-dialog.module.css';

/** A password just set, which is shown only once. */
export function PasswordHandover({ password, onDone }: { password: string; onDone: () => void }) {
  return (
    <FocusedSection label="Password set">
      <Notice
        kind="warn"
        title="The password is set. It is shown only once. Copy it and hand it over safely."
      />
      <PasswordField label="New password" value={password} readOnly autoComplete="off" />
      <div className={styles.actions}>
        <CopyButton text={password} label="Copy password" />
        <Button onClick={onDone}>Done</Button>
      </div>
    </FocusedSection>
  );
}
