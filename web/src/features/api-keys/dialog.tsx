import type { User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../components/ui/dialog.tsx';
import { FocusedSection } from '../../components/ui/focused-section.tsx';
import { SecretPanel } from '../../components/ui/secret-panel.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { KeyActions } from './actions.tsx';
import styles from './panel.module.css';
import { apiKeyQuery } from './queries.ts';
import { ApiKeyState } from './state.tsx';

interface ApiKeyDialogProps {
  owner: Pick<User, 'id' | 'name'>;
  mayChange: boolean;
  isOpen: boolean;
  onClose: () => void;
}

export function ApiKeyDialog({ owner, mayChange, isOpen, onClose }: ApiKeyDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`API key of ${owner.name}`}>
      <ApiKeyPanel owner={owner} mayChange={mayChange} />
    </Dialog>
  );
}

/** Secret of a new key. */
function NewKey({ secret, onStored }: { secret: string; onStored: () => void }) {
  return (
    <FocusedSection label="New API key">
      <SecretPanel
        secret={secret}
        label="API key"
        variable="SLUICE_API_KEY"
        warning="This key is shown only once. Copy it now and keep it in a safe place."
        onStored={onStored}
        onCopied={() => showSuccess('API key copied to clipboard!')}
      />
    </FocusedSection>
  );
}

interface ApiKeyPanelProps {
  owner: Pick<User, 'id' | 'name'>;
  /** Whether the viewer may change this user's key. */
  mayChange: boolean;
}

/** A user's API key: state, actions, and the secret of a new key while it is displayed. */
function ApiKeyPanel({ owner, mayChange }: ApiKeyPanelProps) {
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
