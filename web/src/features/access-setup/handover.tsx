import { Button } from '@mantine/core';
import type { User } from '@sluice/contract';
import { FocusedSection } from '../../components/ui/focused-section.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { SecretPanel } from '../../components/ui/secret-panel.tsx';
import { Snippet } from '../../components/ui/snippet.tsx';
import { chatSnippet } from '../../lib/chat-snippet.ts';
import type { GivenAccess } from './plan.ts';
import styles from './setup.module.css';

interface AccessHandoverProps extends GivenAccess {
  user: User;
  onDone: () => void;
}

/** The user's first request, ready to run, with the new key, which is shown only once. */
export function AccessHandover({ user, secret, model, missing, onDone }: AccessHandoverProps) {
  const request = chatSnippet('curl', window.location.origin, model ?? '');
  const line = secret === null ? request : request.replace('$SLUICE_API_KEY', secret);
  return (
    <FocusedSection label="First request">
      <div className={styles.setup}>
        {missing.length === 0 ? (
          <>
            <Notice kind="ok" title={`${user.name} can send requests now. Try it, or hand it over:`} />
            <Snippet title="curl" text={line} />
          </>
        ) : (
          <Notice
            kind="warn"
            title={`${user.name} has no ${missing.join(' and no ')} yet, so requests are refused.`}
          />
        )}
        {secret === null ? (
          <div>
            <Button onClick={onDone}>Done</Button>
          </div>
        ) : (
          <SecretPanel
            secret={secret}
            label="API key"
            variable="SLUICE_API_KEY"
            warning="This key is shown only once. Copy it now and keep it in a safe place."
            onStored={onDone}
          />
        )}
      </div>
    </FocusedSection>
  );
}
