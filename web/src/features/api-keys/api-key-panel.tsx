import { Button } from '@mantine/core';
import type { ApiKeyStatus, User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { logFailure } from '../../lib/log-failure.ts';
import { ApiKeyFacts } from './api-key-facts.tsx';
import styles from './api-key-panel.module.css';
import { apiKeyQuery } from './api-keys-queries.ts';
import { KeyActions } from './key-actions.tsx';
import { NewKey } from './new-key.tsx';

interface ApiKeyPanelProps {
  owner: Pick<User, 'id' | 'name'>;
  /** Whether the viewer may act on this person's key. */
  mayChange: boolean;
}

/** A user's API key: its state, what can be done with it, and a new secret for as long as it can be seen. */
export function ApiKeyPanel({ owner, mayChange }: ApiKeyPanelProps) {
  const { data: state, error, refetch } = useQuery(apiKeyQuery(owner.id));
  const [secret, setSecret] = useState<string | null>(null);
  useEffect(() => {
    if (error) logFailure("The API key's state could not be loaded", error);
  }, [error]);

  if (secret !== null) return <NewKey secret={secret} onStored={() => setSecret(null)} />;
  return (
    <div className={styles.panel} aria-busy={state === undefined && !error}>
      <KeyState state={state} hasFailed={error !== null} onRetry={refetch} />
      {state && mayChange && <KeyActions owner={owner} apiKey={state.api_key_status} onSecret={setSecret} />}
    </div>
  );
}

interface KeyStateProps {
  state: ApiKeyStatus | undefined;
  hasFailed: boolean;
  onRetry: () => void;
}

function KeyState({ state, hasFailed, onRetry }: KeyStateProps) {
  if (state?.api_key_status) return <ApiKeyFacts apiKey={state.api_key_status} />;
  if (state) return <p className={styles.none}>No API key</p>;
  if (!hasFailed) return <SkeletonLines count={4} />;
  return (
    <div className={styles.unknown}>
      <span>The key's state is not known right now.</span>
      <Button variant="default" onClick={() => onRetry()}>
        Try again
      </Button>
    </div>
  );
}
