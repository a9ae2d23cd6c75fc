import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FocusedSection } from '#components/ui/focused-section.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { SecretPanel } from '#components/ui/secret-panel.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { chatSnippet } from '#lib/chat-snippet.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { AccessForm } from './form.tsx';
import type { AccessSubject, GivenAccess } from './plan.ts';
import { accessChoicesQuery } from './queries.ts';
import styles from './setup.module.css';

interface AccessSetupProps {
  user: AccessSubject;
  /** Title of the notice after access is given. If it is set, the form does not offer an API key. */
  titleWithoutKey?: string;
  onDone: () => void;
}

export function AccessSetup({ user, titleWithoutKey, onDone }: AccessSetupProps) {
  const answer = useQuery(accessChoicesQuery(user.id));
  const [given, setGiven] = useState<GivenAccess | null>(null);
  const failure = describeFailure(answer, 'The options could not be loaded');
  if (failure) return <Failure {...failure} />;
  if (!answer.data) return <SkeletonLines count={4} />;
  if (given)
    return <AccessHandover user={user} titleWithoutKey={titleWithoutKey} {...given} onDone={onDone} />;
  const offersKey = titleWithoutKey === undefined;
  return <AccessForm user={user} choices={answer.data} offersKey={offersKey} onGiven={setGiven} />;
}

interface AccessHandoverProps extends GivenAccess {
  user: AccessSubject;
  titleWithoutKey: string | undefined;
  onDone: () => void;
}

/** The example reads the API key from a variable, and the new key is shown only once. */
function AccessHandover({ user, titleWithoutKey, secret, model, missing, onDone }: AccessHandoverProps) {
  const request = chatSnippet('curl', window.location.origin, model ?? '');
  return (
    <FocusedSection label="First request">
      <div className={styles.setup}>
        {missing.length === 0 ? (
          <>
            <Notice
              kind="ok"
              title={
                titleWithoutKey ??
                `${user.name} can send requests now. Try this example, or share it with the user:`
              }
            />
            <Snippet title="curl" text={request} />
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
