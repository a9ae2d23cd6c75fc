import type { User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { KeyActions } from './actions.tsx';
import { NewKey } from './new-key.tsx';
import styles from './panel.module.css';
import { apiKeyQuery } from './queries.ts';
import { ApiKeyState } from './state.tsx';

interface ApiKeyPanelProps {
  owner: Pick<User, 'id' | 'name'>;
  /** Whether the viewer may change this user's key. */
  mayChange: boolean;
}

/** A user's API key: state, actions, and the secret of a new key while it is displayed. */
export function ApiKeyPanel({ owner, mayChange }: ApiKeyPanelProps) {
  const { data: state } = useQuery(apiKeyQuery(owner.id));
  const [secret, setSecret] = useState<string | null>(null);

  if (secret !== null) return <NewKey secret={secret} onStored={() => setSecret(null)} />;
  return (
    <div className={styles.panel}>
      <ApiKeyState userId={owner.id} />
      {state && mayChange && <KeyActions owner={owner} state={state} onSecret={setSecret} />}
    </div>
  );
}
