import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Notice } from '#components/ui/notice.tsx';
import { dismissSecondFactorPrompt, isSecondFactorPromptDue } from '#lib/second-factor-prompt.ts';
import styles from './prompt.module.css';

/** Shown after each sign-in until dismissed, for super administrators without a second factor. */
export function SecondFactorPrompt({ user }: { user: CurrentUser }) {
  const [isDue, setDue] = useState(isSecondFactorPromptDue);
  if (!isDue || user.role.name !== 'super_admin' || user.second_factor.is_on) return null;
  const dismiss = () => {
    dismissSecondFactorPrompt();
    setDue(false);
  };
  return (
    <div className={styles.prompt}>
      <Notice
        kind="warn"
        title="Your account controls this installation, but only a password protects it."
        action={
          <div className={styles.actions}>
            <Button component={Link} to="/dashboard/profile" onClick={dismiss}>
              Set up a second factor
            </Button>
            <Button variant="default" onClick={dismiss}>
              Later
            </Button>
          </div>
        }
      />
    </div>
  );
}
